"""Double-entry accounts and postings, pure. No database here."""
