/**
 * - Times are those of the database's clock.
 * - `session.size` is the end of the session. Positions are byte offsets, as if the lines were in a file.
 * - `session.holder` and `lease.holder` are ids of `process`. A process whose row is missing, expired or `gone` holds nothing.
 * - `entry.raw` holds a line that is not text, which only a copy of a damaged file can contain.
 * - `writer` makes a batch of appends repeatable: a batch that was stored is not stored again, and reports what it did.
 */
export const TABLES = `
create table process (
  id text primary key,
  slot int generated always as identity,
  until timestamptz not null,
  gone boolean not null default false
) with (fillfactor = 50);

create table session (
  id text collate "C" primary key,
  agent text not null,
  visible boolean not null,
  size bigint not null default 0,
  due boolean not null default false,
  running boolean not null default false,
  stale boolean not null default true,
  holder text,
  fence bigint not null default 0,
  created timestamptz not null default clock_timestamp(),
  modified timestamptz not null default clock_timestamp()
) with (fillfactor = 70);
create index session_due on session (id) where due or running;
create index session_stale on session (id) where stale;
create index session_unfinished on session (id) where not visible;

create table session_key (
  key text primary key,
  session text collate "C" not null
);

create table entry (
  session text collate "C" not null,
  position bigint not null,
  line text,
  raw bytea,
  primary key (session, position)
);

create table sent_key (
  session text collate "C" not null,
  key text collate "C" not null,
  position bigint not null,
  next bigint not null,
  primary key (session, key)
);

create table writer (
  id text primary key,
  batch bigint not null,
  items int[],
  outcomes text[],
  positions bigint[],
  nexts bigint[],
  used timestamptz not null default clock_timestamp()
) with (fillfactor = 50);

create table mark_text (
  session text collate "C" not null,
  fence bigint not null,
  n bigint not null,
  text text not null,
  primary key (session, fence, n)
);

create table lease (
  name text primary key,
  holder text,
  fence bigint not null
);

create table journal (
  name text primary key,
  records bigint not null,
  generation bigint not null
);

create table journal_record (
  name text not null,
  n bigint not null,
  record text not null,
  primary key (name, n)
);

create table cell (
  name text primary key,
  version bigint not null,
  text text not null
);

create table stored_value (
  name text not null,
  key text not null,
  text bytea not null,
  primary key (name, key)
);

create table blob (
  hash text primary key,
  size bigint not null
);

create table blob_chunk (
  hash text not null,
  n int not null,
  bytes bytea not null,
  primary key (hash, n)
);
alter table blob_chunk alter column bytes set storage external;
`;
