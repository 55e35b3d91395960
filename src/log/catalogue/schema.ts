/** Of the tables and their contents. An index of another version is rebuilt. */
export const VERSION = 4;

/**
 * A session's row is its state as JSON, and what lists are filtered and sorted by. A time of 0 is unknown. `modified` is a text,
 * because SQLite does not read every number back as it was. `sessions.n` is never reused: a session that is indexed again gets
 * a new number. `gone` has the numbers without a session that segments may still have messages of, and whether the file was
 * deleted.
 */
export const SCHEMA = `
CREATE TABLE sessions (
  n INTEGER PRIMARY KEY AUTOINCREMENT,
  source TEXT NOT NULL,
  path TEXT NOT NULL,
  id TEXT NOT NULL,
  agent TEXT NOT NULL,
  key TEXT,
  is_foreign INTEGER NOT NULL,
  created INTEGER NOT NULL,
  active INTEGER NOT NULL,
  archived INTEGER NOT NULL,
  parent TEXT,
  folder TEXT,
  inode INTEGER NOT NULL,
  position INTEGER NOT NULL,
  size INTEGER NOT NULL,
  modified TEXT NOT NULL,
  state TEXT NOT NULL,
  spent TEXT NOT NULL,
  UNIQUE (source, path)
);
CREATE INDEX sessions_by_id ON sessions (id);
CREATE INDEX sessions_by_key ON sessions (key) WHERE key IS NOT NULL;
CREATE INDEX sessions_by_active ON sessions (active);
CREATE INDEX sessions_by_created ON sessions (created);
CREATE TABLE gone (session INTEGER PRIMARY KEY, is_deleted INTEGER NOT NULL);
CREATE TABLE segments (
  n INTEGER PRIMARY KEY AUTOINCREMENT,
  place INTEGER NOT NULL,
  messages INTEGER NOT NULL,
  bytes INTEGER NOT NULL
);
CREATE TABLE complete (yes INTEGER NOT NULL);
PRAGMA user_version = ${VERSION};
`;
