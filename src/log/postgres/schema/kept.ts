/** Run marks, journals and values. All can be repeated: a repetition has no further effect. */
export const KEPT = `
-- Operations on run marks: open, append, clear, remove. The numbers of those that were allowed. Only an open waits for the disk.
create function mark_batch(
  p_process text, m_n bigint[], m_session text[], m_fence bigint[], m_what text[], m_text text[])
returns setof bigint language plpgsql as $$
declare
  one record;
begin
  if 'open' = any (m_what) then perform set_config('synchronous_commit', 'on', true); end if;
  perform 1 from session s where s.id = any (m_session) order by s.id for update;
  for one in
    select m.n, m.session, m.fence, m.what, m.text
    from unnest(m_n, m_session, m_fence, m_what, m_text) as m (n, session, fence, what, text)
    join session s on s.id = m.session and s.holder = p_process and s.fence = m.fence
    order by m.n
  loop
    if one.what = 'append' then
      insert into mark_text (session, fence, n, text) values (one.session, one.fence, one.n, one.text)
        on conflict do nothing;
    else
      delete from mark_text t where t.session = one.session and (t.fence < one.fence or t.n < one.n);
    end if;
    if one.what in ('open', 'remove') then
      update session s set running = one.what = 'open'
        where s.id = one.session and s.running <> (one.what = 'open');
    end if;
    return next one.n;
  end loop;
end $$;

-- Appends to a journal after as many records as the caller has seen. False if the lease is lost, null if the journal has changed.
create function journal_append(
  p_name text, p_session text, p_lease text, p_process text, p_fence bigint, p_after bigint, p_records text[])
returns boolean language plpgsql as $$
declare
  known bigint;
begin
  if not holds(p_session, p_lease, p_process, p_fence) then return false; end if;
  insert into journal (name, records, generation) values (p_name, 0, 0) on conflict do nothing;
  select j.records into known from journal j where j.name = p_name for update;
  if known = p_after + cardinality(p_records) then return true; end if;
  if known <> p_after then return null; end if;
  insert into journal_record (name, n, record)
    select p_name, p_after + r.n, r.record from unnest(p_records) with ordinality as r (record, n);
  update journal j set records = p_after + cardinality(p_records) where j.name = p_name;
  return true;
end $$;

-- Replaces all records of a journal. The same results.
create function journal_replace(
  p_name text, p_session text, p_lease text, p_process text, p_fence bigint, p_generation bigint, p_records text[])
returns boolean language plpgsql as $$
declare
  known bigint;
begin
  if not holds(p_session, p_lease, p_process, p_fence) then return false; end if;
  select j.generation into known from journal j where j.name = p_name for update;
  if known = p_generation + 1 then return true; end if;
  if known <> p_generation then return null; end if;
  delete from journal_record r where r.name = p_name;
  insert into journal_record (name, n, record)
    select p_name, r.n, r.record from unnest(p_records) with ordinality as r (record, n);
  update journal j set records = cardinality(p_records), generation = p_generation + 1 where j.name = p_name;
  return true;
end $$;

create function write_value(
  p_name text, p_session text, p_lease text, p_process text, p_fence bigint, p_key text, p_text bytea)
returns boolean language plpgsql as $$
begin
  if not holds(p_session, p_lease, p_process, p_fence) then return false; end if;
  if p_text is null then
    delete from stored_value v where v.name = p_name and v.key = p_key;
  else
    insert into stored_value (name, key, text) values (p_name, p_key, p_text)
      on conflict (name, key) do update set text = excluded.text;
  end if;
  return true;
end $$;
`;
