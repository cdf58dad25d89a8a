"""One module a version. What has landed is never edited: ledgers were brought up by it."""
