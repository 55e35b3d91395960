/**
 * Appends to sessions, at most one group of lines to each, in the order of the session's ids. A group is stored as a whole or
 * not at all, whatever happens to the others. `p_lines` are the lines of all groups.
 *
 * Flags of a group: 1 once (it is refused if one of its keys is stored), 2 due, 4 clear due. `starts` has the position of each
 * group that was stored; `refused` has the others: before (with the place of the stored message), moved (with the end),
 * fenced, missing.
 *
 * One statement changes all sessions, and one stores the lines and the number of the batch: each statement costs more than a
 * line.
 */
export const APPEND_GROUPS = `
create function append_groups(
  p_writer text, p_batch bigint, p_process text,
  g_session text[], g_expect bigint[], g_fence bigint[], g_flags int[], g_bytes bigint[],
  p_lines text, l_group int[], l_offset bigint[],
  p_once boolean, k_group int[], k_key text[], k_offset bigint[], k_end bigint[],
  out starts bigint[], out refused json) language plpgsql as $$
declare
  last_batch bigint;
  n int;
  numbers bigint[];
  found_starts bigint[];
begin
  -- The same batch can arrive twice, on two connections.
  perform pg_advisory_xact_lock(hashtextextended(p_writer, 0));
  select w.batch, w.positions into last_batch, starts from writer w where w.id = p_writer;
  if not found then
    insert into writer (id, batch) values (p_writer, 0);
    last_batch := 0;
  end if;
  if last_batch > p_batch then return; end if;
  if last_batch = p_batch then
    -- A write, so that this commit, too, waits for a standby.
    update writer w set used = clock_timestamp() where w.id = p_writer;
  else
    if p_once then
      -- Keys are looked up by another statement than the one that locks: it sees all that was stored before.
      perform 1 from session s where s.id = any (g_session) order by s.id for update;
      for n in
        select distinct k.n from unnest(k_group, k_key) as k (n, key)
        join sent_key t on t.session = g_session[k.n] and t.key = k.key where g_flags[k.n] & 1 = 1
      loop
        g_bytes[n] := null;
      end loop;
    end if;
    with changed as (
      update session s set
          size = s.size + coalesce(g.bytes, 0),
          due = case when g.flags & 2 = 2 then true when g.flags & 4 = 4 then false else s.due end,
          stale = s.stale or coalesce(g.bytes, 0) > 0,
          modified = case when g.bytes > 0 then clock_timestamp() else s.modified end
        from unnest(g_session, g_expect, g_fence, g_flags, g_bytes) with ordinality
          as g (session, expect, fence, flags, bytes, n)
        where s.id = g.session
          and (g.fence is null or (s.holder = p_process and s.fence = g.fence))
          and (g.bytes is null or g.expect is null or s.size = g.expect)
        returning g.n, s.size - g.bytes as start
    )
    select array_agg(c.n), array_agg(c.start) into numbers, starts from (select c.n, c.start from changed c order by c.n) c;
    if cardinality(numbers) is distinct from cardinality(g_session) then
      found_starts := starts;
      starts := array_fill(null::bigint, array[cardinality(g_session)]);
      for n in 1 .. coalesce(cardinality(numbers), 0) loop
        starts[numbers[n]] := found_starts[n];
      end loop;
    end if;
    if cardinality(k_group) > 0 then
      insert into sent_key (session, key, position, next)
        select g_session[k.n], k.key, starts[k.n] + k.start, starts[k.n] + k.finish
        from unnest(k_group, k_key, k_offset, k_end) with ordinality as k (n, key, start, finish, place)
        where starts[k.n] is not null order by k.place
        on conflict do nothing;
    end if;
    with stored as (
      insert into entry (session, position, line)
        select g_session[l.n], starts[l.n] + l.start, l.line
        from rows from (string_to_table(p_lines, E'\\n'), unnest(l_group), unnest(l_offset)) as l (line, n, start)
        where starts[l.n] is not null
    )
    update writer w set batch = p_batch, positions = starts, used = clock_timestamp() where w.id = p_writer;
  end if;
  if array_position(starts, null) is null then return; end if;
  select json_agg(r) into refused from (
    select g.n, case
        when s.id is null then 'missing'
        when s.holder is distinct from p_process and g.fence is not null or s.fence <> g.fence then 'fenced'
        when t.position is not null then 'before'
        else 'moved'
      end as outcome, coalesce(t.position, s.size, 0) as at, coalesce(t.next, 0) as until
    from unnest(g_session, g_fence, g_flags) with ordinality as g (session, fence, flags, n)
    left join session s on s.id = g.session
    left join lateral (
      select t.position, t.next from unnest(k_group, k_key) with ordinality as k (n, key, place)
      join sent_key t on t.session = g.session and t.key = k.key
      where k.n = g.n and g.flags & 1 = 1 order by k.place limit 1
    ) t on true
    where starts[g.n] is null
  ) r;
end $$;
`;
