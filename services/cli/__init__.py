"""The command line: the one place where services, logs and clocks are put together."""

import os

# Before gRPC is imported by anybody: `up` starts processes, and gRPC would have its say at each.
os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")
