"""The network: who may decide what, and how it is reached."""
