/** Of the tables and their contents. An index of another version is rebuilt. */
export const VERSION = 4;

/**
 * A time of 0 is unknown. `sessions.n` is never reused: a session that is indexed again gets a new number. `gone` has the
 * numbers without a session that segments may still have messages of, and whether the file was deleted.
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
  named TEXT,
  opening TEXT,
  created INTEGER NOT NULL,
  active INTEGER NOT NULL,
  user INTEGER NOT NULL,
  assistant INTEGER NOT NULL,
  tool_result INTEGER NOT NULL,
  lines INTEGER NOT NULL,
  bad INTEGER NOT NULL,
  bad_lines TEXT NOT NULL,
  usage TEXT NOT NULL,
  unknown_prices INTEGER NOT NULL,
  models TEXT NOT NULL,
  archived INTEGER NOT NULL,
  parent_session TEXT,
  parent_message TEXT,
  parent_call TEXT,
  folder TEXT,
  problem TEXT,
  inode INTEGER NOT NULL,
  position INTEGER NOT NULL,
  size INTEGER NOT NULL,
  modified REAL NOT NULL,
  UNIQUE (source, path)
);
CREATE INDEX sessions_by_id ON sessions (id);
CREATE INDEX sessions_by_key ON sessions (key);
CREATE INDEX sessions_by_active ON sessions (active);
CREATE INDEX sessions_by_created ON sessions (created);
CREATE TABLE gone (session INTEGER PRIMARY KEY, is_deleted INTEGER NOT NULL);
CREATE TABLE segments (
  n INTEGER PRIMARY KEY AUTOINCREMENT,
  place INTEGER NOT NULL,
  messages INTEGER NOT NULL,
  bytes INTEGER NOT NULL
);
CREATE TABLE spent (
  session INTEGER NOT NULL,
  day TEXT NOT NULL,
  model TEXT NOT NULL,
  answers INTEGER NOT NULL,
  usage TEXT NOT NULL,
  unknown_prices INTEGER NOT NULL,
  PRIMARY KEY (session, day, model)
) WITHOUT ROWID;
CREATE TABLE complete (yes INTEGER NOT NULL);
PRAGMA user_version = ${VERSION};
`;
