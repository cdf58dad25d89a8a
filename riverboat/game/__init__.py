"""All of poker: pure and synchronous. No I/O, no clock, no chance, no protobuf."""
