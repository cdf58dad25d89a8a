"""The command line: the one place where services, logs and clocks are put together."""
