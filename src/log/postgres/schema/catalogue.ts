/**
 * The index, derived from the entries. `state` and `spent` are JSON; the other columns select and sort. A part of a session is
 * added only if the session is indexed up to where the part begins: of two processes that index it, one adds the part.
 */
export const CATALOGUE = `
create table indexed_session (
  n bigint generated always as identity primary key,
  id text collate "C" not null unique,
  position bigint not null,
  agent text not null,
  key text,
  archived boolean not null,
  created bigint not null,
  active bigint not null,
  state text not null,
  spent text not null
);
create index indexed_by_active on indexed_session (active, n);
create index indexed_by_created on indexed_session (created, n);
create index indexed_by_key on indexed_session (key) where key is not null;

create table indexed_message (
  n bigint generated always as identity primary key,
  session bigint not null,
  id text,
  position bigint not null,
  role text not null,
  timestamp bigint not null,
  text text not null,
  words tsvector not null
);
create index indexed_words on indexed_message using gin (words) with (fastupdate = off);

create function index_part(
  p_id text, p_before bigint, p_position bigint, p_agent text, p_key text, p_archived boolean,
  p_created bigint, p_active bigint, p_state text, p_spent text,
  m_id text[], m_position bigint[], m_role text[], m_timestamp bigint[], m_text text[], m_words text[])
returns boolean language plpgsql as $$
declare
  number bigint;
begin
  if p_before is null then
    insert into indexed_session (id, position, agent, key, archived, created, active, state, spent)
      values (p_id, p_position, p_agent, p_key, p_archived, p_created, p_active, p_state, p_spent)
      on conflict (id) do nothing returning n into number;
  else
    update indexed_session s set position = p_position, agent = p_agent, key = p_key, archived = p_archived,
        created = p_created, active = p_active, state = p_state, spent = p_spent
      where s.id = p_id and s.position = p_before returning s.n into number;
  end if;
  if number is null then return false; end if;
  insert into indexed_message (session, id, position, role, timestamp, text, words)
    select number, m.id, m.position, m.role, m.time, m.text, m.words::tsvector
    from unnest(m_id, m_position, m_role, m_timestamp, m_text, m_words) as m (id, position, role, time, text, words);
  return true;
end $$;
`;
