"""Around kernels: what hosts make for them."""
