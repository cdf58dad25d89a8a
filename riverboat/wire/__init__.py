"""The wire: one codec between dataclasses and protobuf messages."""
