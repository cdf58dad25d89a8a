"""The wallet: the money of the network, as a double-entry ledger in a real database."""
