// RUN: %trireme-opt %s -split-input-file -verify-diagnostics

// expected-error @+1 {{order must be a permutation of the axes}}
func.func private @order() attributes {loop = #sched.loop<order = [0, 0], lane = 0, width = 8, unroll = 1>}

// -----

// expected-error @+1 {{lane axis 2 is outside the iteration space}}
func.func private @lane() attributes {loop = #sched.loop<order = [0, 1], lane = 2, width = 8, unroll = 1>}

// -----

// expected-error @+1 {{width and unroll must be positive}}
func.func private @width() attributes {loop = #sched.loop<order = [0], lane = 0, width = 0, unroll = 1>}
