/**
 * `append_groups` for one group without keys, which most batches are: its statements are simpler for the server. What is not
 * usual is left to `append_groups`: the first batch of a writer, a batch that arrives twice, a group that is refused.
 */
export const APPEND_GROUP = `
create function append_group(
  p_writer text, p_batch bigint, p_process text,
  p_session text, p_expect bigint, p_fence bigint, p_flags int, p_bytes bigint,
  p_lines text, l_offset bigint[],
  out starts bigint[], out refused json) language plpgsql as $$
declare
  -- An expression costs less than a statement.
  locked text := pg_advisory_xact_lock(hashtextextended(p_writer, 0))::text;
  last_batch bigint;
  at bigint;
begin
  select w.batch into last_batch from writer w where w.id = p_writer;
  if last_batch < p_batch then
    update session s set
        size = s.size + p_bytes,
        due = case when p_flags & 2 = 2 then true when p_flags & 4 = 4 then false else s.due end,
        stale = s.stale or p_bytes > 0,
        modified = case when p_bytes > 0 then clock_timestamp() else s.modified end
      where s.id = p_session
        and (p_fence is null or (s.holder = p_process and s.fence = p_fence))
        and (p_expect is null or s.size = p_expect)
      returning s.size - p_bytes into at;
  end if;
  if at is null then
    select a.starts, a.refused into starts, refused from append_groups(
      p_writer, p_batch, p_process, array[p_session], array[p_expect], array[p_fence], array[p_flags], array[p_bytes],
      p_lines, array_fill(1, array[cardinality(l_offset)]), l_offset, false, '{}', '{}', '{}', '{}') a;
    return;
  end if;
  insert into entry (session, position, line)
    select p_session, at + l.start, l.line
    from rows from (string_to_table(p_lines, E'\\n'), unnest(l_offset)) as l (line, start);
  starts := array[at];
  update writer w set batch = p_batch, positions = starts, used = clock_timestamp() where w.id = p_writer;
end $$;
`;
