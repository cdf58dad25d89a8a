"""How a service lives: the step, its loop, the clock, calls and metrics."""
