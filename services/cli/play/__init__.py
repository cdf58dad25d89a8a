"""The terminal client: a seat at the network's tables for people."""
