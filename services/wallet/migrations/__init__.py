"""The ledger's migrations: each brings a ledger from one version of the schema to the next."""
