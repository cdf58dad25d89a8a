"""What the ledger's databases refuse by themselves, whoever asks: a change of what is posted.

Plain statements, one list for each version of the schema and each database. A version that has
landed is never edited: what must change is dropped and made anew by the next one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

# These tables only grow.
FOR_EVER: Final = ("postings", "entries", "reservations", "keys")


def _sqlite(table: str, name: str, when: str, why: str) -> str:
    return (
        f"CREATE TRIGGER {table}_{name} BEFORE {when} "
        f"BEGIN SELECT RAISE(ABORT, '{table}: {why}'); END"
    )


def sqlite_stays(tables: Iterable[str]) -> tuple[str, ...]:
    """Rows of these tables stay as they are."""
    return tuple(
        statement
        for table in tables
        for statement in (
            _sqlite(table, "stay", f"DELETE ON {table}", "what is posted is never deleted"),
            _sqlite(table, "stand", f"UPDATE ON {table}", "what is posted is never changed"),
        )
    )


SQLITE_1: Final = (
    *sqlite_stays(FOR_EVER),
    _sqlite("accounts", "stay", "DELETE ON accounts", "an account is never deleted"),
    _sqlite(
        "accounts",
        "stand",
        "UPDATE OF number, id, kind, currency, player ON accounts",
        "an account keeps its name",
    ),
    _sqlite(
        "accounts",
        "add_up",
        "UPDATE OF balance, entries ON accounts WHEN NEW.entries <= OLD.entries OR NEW.balance IS "
        "NOT (SELECT balance FROM entries WHERE account = NEW.number AND number = NEW.entries)",
        "a balance is what its last entry says",
    ),
)

SQLITE_2: Final = (
    _sqlite(
        "accounts",
        "begin",
        "INSERT ON accounts WHEN NEW.balance <> 0 OR NEW.entries <> 0",
        "an account begins with nothing",
    ),
    _sqlite(
        "entries",
        "add_up",
        "INSERT ON entries WHEN NEW.balance <> NEW.amount + coalesce((SELECT balance FROM entries "
        "WHERE account = NEW.account AND number = NEW.number - 1), 0)",
        "a balance is the one before and the amount",
    ),
    _sqlite(
        "entries",
        "keep_currency",
        "INSERT ON entries WHEN (SELECT currency FROM accounts WHERE number = NEW.account) IS NOT "
        "coalesce((SELECT currency FROM entries JOIN accounts ON accounts.number = entries.account "
        "WHERE posting = NEW.posting LIMIT 1), "
        "(SELECT currency FROM accounts WHERE number = NEW.account))",
        "no posting crosses currencies",
    ),
)


def _raise(condition: str, message: str) -> str:
    return (
        f"IF {condition} THEN RAISE EXCEPTION USING ERRCODE = 'restrict_violation', "
        f"MESSAGE = {message}; END IF;"
    )


# What is written at once is looked at once: a trigger for each row would cost as much as the row.
# What is looked up by its key is a subquery of its own: a join of tables that were empty a moment
# ago is planned for what they held then, and would read all of them once for each row.
def _function(name: str, body: str, declared: str = "") -> str:
    return (
        f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql "
        f"SET enable_seqscan = off SET enable_nestloop = off AS $$\n"
        f"{declared}BEGIN {body} RETURN NULL; END $$"
    )


_STAYS: Final = _function(
    "ledger_stays",
    _raise(
        "true",
        "TG_TABLE_NAME || ': what is posted is never ' || "
        "CASE TG_OP WHEN 'UPDATE' THEN 'changed' ELSE 'deleted' END",
    ),
)

_REFUSES: Final = _function("ledger_refuses", _raise("true", "TG_TABLE_NAME || ': ' || TG_ARGV[0]"))

# Most lines follow one that came with them; only the first of each account is looked up.
_WRONG_LINE: Final = """EXISTS (
    SELECT FROM (
        SELECT account, number, amount, balance,
            lag(number) OVER line AS last, lag(balance) OVER line AS stood
        FROM fresh WINDOW line AS (PARTITION BY account ORDER BY number)
    ) told
    WHERE balance <> amount + CASE WHEN last = number - 1 THEN stood ELSE coalesce(
        (SELECT before.balance FROM entries before
            WHERE before.account = told.account AND before.number = told.number - 1), 0) END
)"""

# Accounts and postings are never deleted, so what is there now stays: this is all that foreign keys
# would see to, for a tenth of their price.
_WRONG_POSTING: Final = """
    WITH named AS MATERIALIZED (
        SELECT account,
            (SELECT accounts.currency FROM accounts WHERE accounts.number = account) AS currency
        FROM (SELECT DISTINCT account FROM fresh) line
    ), told AS MATERIALIZED (
        SELECT posting, count(*) AS lines, sum(amount) AS total, count(currency) AS known,
            min(currency) AS low, max(currency) AS high
        FROM fresh JOIN named ON named.account = fresh.account GROUP BY posting
    )
    SELECT CASE WHEN low <> high THEN 'no posting crosses currencies'
        WHEN known < lines OR NOT posted THEN 'an entry is of a posting and an account'
        WHEN total <> 0 THEN 'a posting sums to nothing'
        ELSE 'a posting is told whole, and once' END
    INTO wrong FROM (
        SELECT told.*,
            EXISTS (SELECT FROM postings WHERE postings.number = told.posting) AS posted,
            (SELECT count(*) FROM entries WHERE entries.posting = told.posting) AS there
        FROM told
    ) each
    WHERE low <> high OR known < lines OR NOT posted OR total <> 0 OR there <> lines LIMIT 1;"""

_ENTRIES: Final = _function(
    "ledger_entries_add_up",
    "\n".join(
        (
            _raise(_WRONG_LINE, "'entries: a balance is the one before and the amount'"),
            _WRONG_POSTING,
            _raise("FOUND", "'entries: ' || wrong"),
        )
    ),
    "DECLARE wrong text; ",
)

_ACCOUNTS: Final = _function(
    "ledger_accounts_add_up",
    "\n".join(
        (
            _raise(
                "EXISTS (SELECT FROM became LEFT JOIN was ON was.number = became.number "
                "WHERE (was.id, was.kind, was.currency, was.player) IS DISTINCT FROM "
                "(became.id, became.kind, became.currency, became.player))",
                "'accounts: an account keeps its name'",
            ),
            _raise(
                "EXISTS (SELECT FROM became JOIN was ON was.number = became.number "
                "WHERE became.entries <= was.entries OR became.balance IS DISTINCT FROM "
                "(SELECT entries.balance FROM entries WHERE entries.account = became.number "
                "AND entries.number = became.entries))",
                "'accounts: a balance is what its last entry says'",
            ),
        )
    ),
)


def _postgres(table: str, name: str, when: str, does: str) -> str:
    return f"CREATE TRIGGER {table}_{name} {when} EXECUTE FUNCTION {does}"


def postgres_stays(tables: Iterable[str]) -> tuple[str, ...]:
    """Rows of these tables stay as they are."""
    return tuple(
        _postgres(
            table,
            "stay",
            f"BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} FOR EACH STATEMENT",
            "ledger_stays()",
        )
        for table in tables
    )


POSTGRES_2: Final = (
    "ALTER TABLE entries DROP CONSTRAINT entries_account_fkey",
    "ALTER TABLE entries DROP CONSTRAINT entries_posting_fkey",
    _STAYS,
    _REFUSES,
    _ENTRIES,
    _ACCOUNTS,
    *postgres_stays(FOR_EVER),
    _postgres(
        "accounts",
        "stay",
        "BEFORE DELETE OR TRUNCATE ON accounts FOR EACH STATEMENT",
        "ledger_refuses('an account is never deleted')",
    ),
    _postgres(
        "accounts",
        "begin",
        "BEFORE INSERT ON accounts FOR EACH ROW WHEN (NEW.balance <> 0 OR NEW.entries <> 0)",
        "ledger_refuses('an account begins with nothing')",
    ),
    _postgres(
        "accounts",
        "add_up",
        "AFTER UPDATE ON accounts REFERENCING OLD TABLE AS was NEW TABLE AS became "
        "FOR EACH STATEMENT",
        "ledger_accounts_add_up()",
    ),
    _postgres(
        "entries",
        "add_up",
        "AFTER INSERT ON entries REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT",
        "ledger_entries_add_up()",
    ),
)

_GROWING_3: Final = ("deeds", "grants")
SQLITE_3: Final = sqlite_stays(_GROWING_3)
POSTGRES_3: Final = postgres_stays(_GROWING_3)

_GROWING_4: Final = ("protected",)
SQLITE_4: Final = sqlite_stays(_GROWING_4)
POSTGRES_4: Final = postgres_stays(_GROWING_4)

# `REPLACE` deletes whatever row has a key of the new one, and no trigger of a delete is asked: so
# there must be none. A row's own number is such a key too, where the table has no other of numbers.
_KEYS_5: Final = {
    "accounts": ("number", "id"),
    "postings": ("number", "id"),
    "entries": ("account, number",),
    "reservations": ("rowid", "id"),
    "keys": ("rowid", "caller, key"),
    "deeds": ("number", "caller, key"),
    "grants": ("rowid", "reservation"),
    "protected": ("rowid", "table_id, version, player"),
}


def sqlite_stays_whole(keys: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """No row of these tables is replaced by another; each has some keys, of some columns."""
    return tuple(
        _sqlite(
            table,
            "stay_whole",
            f"INSERT ON {table} WHEN " + " OR ".join(_is_there(table, key) for key in of_table),
            "what is posted is never replaced",
        )
        for table, of_table in keys.items()
    )


def _is_there(table: str, key: str) -> str:
    same = " AND ".join(f"{column} = NEW.{column}" for column in key.split(", "))
    return f"EXISTS (SELECT 1 FROM {table} WHERE {same})"


SQLITE_5: Final = sqlite_stays_whole(_KEYS_5)

# `protected` of version 4 is `spent` now: each names its hand.
_GROWING_6: Final = ("spent", "voided")
SQLITE_6: Final = (
    *sqlite_stays(_GROWING_6),
    *sqlite_stays_whole(
        {"spent": ("rowid", "table_id, version, player"), "voided": ("rowid", "hand")}
    ),
)
POSTGRES_6: Final = postgres_stays(_GROWING_6)

_GROWING_8: Final = ("games",)
SQLITE_8: Final = (
    *sqlite_stays(_GROWING_8),
    *sqlite_stays_whole({"games": ("rowid", "table_id, version")}),
)
POSTGRES_8: Final = postgres_stays(_GROWING_8)

_GROWING_9: Final = ("contributions",)
SQLITE_9: Final = (
    *sqlite_stays(_GROWING_9),
    *sqlite_stays_whole({"contributions": ("posting, account",)}),
)
POSTGRES_9: Final = postgres_stays(_GROWING_9)


def _but_of(table: str, statements: Iterable[str]) -> tuple[str, ...]:
    """These, but for the triggers of a table that is no more."""
    return tuple(each for each in statements if not each.startswith(f"CREATE TRIGGER {table}_"))


# All that a ledger of today's schema has, in order.
TODAY: Final = {
    "sqlite": _but_of(
        "protected",
        (*SQLITE_1, *SQLITE_2, *SQLITE_3, *SQLITE_4, *SQLITE_5, *SQLITE_6, *SQLITE_8, *SQLITE_9),
    ),
    "postgresql": _but_of(
        "protected", (*POSTGRES_2, *POSTGRES_3, *POSTGRES_4, *POSTGRES_6, *POSTGRES_8, *POSTGRES_9)
    ),
}
