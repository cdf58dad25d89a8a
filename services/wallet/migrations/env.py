"""How Alembic runs the migrations: on the connection it is given, in the transaction under way.

Never opens a database by itself.
"""

from alembic import context

context.configure(connection=context.config.attributes["connection"], transactional_ddl=True)
context.run_migrations()
