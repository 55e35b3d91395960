/** All can be repeated: a repetition has no further effect. */
export const SESSIONS = `
create function begin_session(p_id text, p_agent text, p_header text) returns void language plpgsql as $$
begin
  insert into session (id, agent, visible, size) values (p_id, p_agent, false, octet_length(p_header) + 1)
    on conflict do nothing;
  if found then
    insert into entry (session, position, line) values (p_id, 0, p_header);
  end if;
end $$;

create function discard_session(p_id text) returns void language plpgsql as $$
begin
  delete from session s where s.id = p_id and not s.visible;
  if found then
    delete from entry e where e.session = p_id;
    delete from sent_key k where k.session = p_id;
  end if;
end $$;

-- Makes a session visible and its key lead to it. With p_only_first, a session that the key already leads to wins. The winner's id.
create function publish_session(p_id text, p_key text, p_only_first boolean) returns text language plpgsql as $$
declare
  winner text := p_id;
  was_visible boolean;
begin
  select s.visible into was_visible from session s where s.id = p_id for update;
  if was_visible then return p_id; end if;
  if p_key is not null and p_only_first then
    insert into session_key as k (key, session) values (p_key, p_id)
      on conflict (key) do update set session = k.session returning k.session into winner;
  elsif p_key is not null then
    insert into session_key as k (key, session) values (p_key, p_id) on conflict (key) do update set session = p_id;
  end if;
  if winner = p_id then
    update session s set visible = true, modified = clock_timestamp() where s.id = p_id;
  else
    perform discard_session(p_id);
  end if;
  return winner;
end $$;

create function create_session(p_id text, p_agent text, p_header text, p_key text, p_only_first boolean) returns text
language plpgsql as $$
begin
  perform begin_session(p_id, p_agent, p_header);
  return publish_session(p_id, p_key, p_only_first);
end $$;
`;
