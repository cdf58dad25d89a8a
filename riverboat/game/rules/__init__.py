"""The rules as data: packaged tables, their schema and reader."""
