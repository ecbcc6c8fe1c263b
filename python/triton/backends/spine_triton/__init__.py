"""The CPU backend: SpacemiT RISC-V, x86-64, aarch64."""
