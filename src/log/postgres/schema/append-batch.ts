/**
 * How programs of version 1 append.
 *
 * Flags of an item: 1 once, 2 due, 4 clear due. Outcomes: stored (position, next), before (the place of the stored message),
 * moved (the end), fenced, missing. Items of a session are handled in order, each as if it were alone; the caller puts
 * no two items with the same key of one session in a batch.
 */
export const APPEND_BATCH = `
create function append_batch(
  p_writer text, p_batch bigint, p_process text,
  i_session text[], i_expect bigint[], i_fence bigint[], i_flags int[], i_bytes bigint[],
  k_item int[], k_session text[], k_key text[], k_offset bigint[], k_end bigint[],
  e_item int[], e_offset bigint[], e_line text[])
returns table (item int, outcome text, at bigint, until bigint) language plpgsql as $$
declare
  last writer%rowtype;
  one record;
  group_id text;
  end_now bigint;
  due_now boolean;
  result text;
  result_at bigint;
  result_until bigint;
  r_item int[] := '{}';
  r_outcome text[] := '{}';
  r_at bigint[] := '{}';
  r_until bigint[] := '{}';
  u_session text[] := '{}';
  u_size bigint[] := '{}';
  u_due boolean[] := '{}';
begin
  select * into last from writer w where w.id = p_writer for update;
  if not found then
    insert into writer (id, batch) values (p_writer, 0) on conflict do nothing;
    select * into last from writer w where w.id = p_writer for update;
  end if;
  if last.batch >= p_batch then
    -- A write, so that this commit, too, waits for a standby.
    update writer w set used = clock_timestamp() where w.id = p_writer;
    if last.batch = p_batch then
      return query select * from unnest(last.items, last.outcomes, last.positions, last.nexts);
    end if;
    return;
  end if;
  perform 1 from session s where s.id = any (i_session) order by s.id for update;
  for one in
    with stored as (
      select distinct on (k.item) k.item, t.position, t.next
      from unnest(k_item, k_session, k_key) with ordinality as k (item, session, key, n)
      join sent_key t on t.session = k.session and t.key = k.key
      order by k.item, k.n
    )
    select i.n::int as n, i.session, i.expect, i.fence, i.flags, i.bytes,
      s.id, s.size, s.holder, s.fence as current_fence, stored.position, stored.next
    from unnest(i_session, i_expect, i_fence, i_flags, i_bytes) with ordinality
      as i (session, expect, fence, flags, bytes, n)
    left join session s on s.id = i.session
    left join stored on stored.item = i.n
    order by i.session collate "C", i.n
  loop
    if group_id is distinct from one.session then
      if group_id is not null then
        u_session := u_session || group_id;
        u_size := u_size || end_now;
        u_due := u_due || due_now;
      end if;
      group_id := one.session;
      end_now := one.size;
      due_now := null;
    end if;
    result_at := null;
    result_until := null;
    if one.id is null then
      result := 'missing';
    elsif one.fence is not null and (one.holder is distinct from p_process or one.current_fence <> one.fence) then
      result := 'fenced';
    elsif one.flags & 1 = 1 and one.position is not null then
      result := 'before';
      result_at := one.position;
      result_until := one.next;
      if one.flags & 2 = 2 then due_now := true; end if;
    elsif one.expect is not null and one.expect <> end_now then
      result := 'moved';
      result_at := end_now;
    else
      result := 'stored';
      result_at := end_now;
      end_now := end_now + one.bytes;
      result_until := end_now;
      if one.flags & 2 = 2 then due_now := true; end if;
      if one.flags & 4 = 4 then due_now := false; end if;
    end if;
    r_item := r_item || one.n;
    r_outcome := r_outcome || result;
    r_at := r_at || result_at;
    r_until := r_until || result_until;
  end loop;
  u_session := u_session || group_id;
  u_size := u_size || end_now;
  u_due := u_due || due_now;
  insert into entry (session, position, line)
    select i_session[e.item], r.at + e.start, e.line
    from unnest(e_item, e_offset, e_line) as e (item, start, line)
    join unnest(r_item, r_outcome, r_at) as r (item, outcome, at) on r.item = e.item
    where r.outcome = 'stored';
  if cardinality(k_item) > 0 then
    insert into sent_key (session, key, position, next)
      select k.session, k.key, r.at + k.start, r.at + k.finish
      from unnest(k_item, k_session, k_key, k_offset, k_end) with ordinality as k (item, session, key, start, finish, n)
      join unnest(r_item, r_outcome, r_at) as r (item, outcome, at) on r.item = k.item
      where r.outcome = 'stored' order by k.n
      on conflict do nothing;
  end if;
  update session s set
      size = u.size, due = coalesce(u.due, s.due), stale = s.stale or u.size > s.size, modified = clock_timestamp()
    from unnest(u_session, u_size, u_due) as u (id, size, due)
    where s.id = u.id and (u.size > s.size or coalesce(u.due, s.due) <> s.due);
  update writer w set
      batch = p_batch, items = r_item, outcomes = r_outcome, positions = r_at, nexts = r_until, used = clock_timestamp()
    where w.id = p_writer;
  return query select * from unnest(r_item, r_outcome, r_at, r_until);
end $$;
`;
