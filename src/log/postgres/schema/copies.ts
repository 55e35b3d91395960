/** Adds lines of a copied session where the copy ended. The end of the copy afterwards. */
export const COPIES = `
create function copy_lines(
  p_id text, p_from bigint, p_bytes bigint, e_offset bigint[], e_line text[], e_raw bytea[],
  k_key text[], k_offset bigint[], k_end bigint[])
returns bigint language plpgsql as $$
declare
  known bigint;
begin
  select s.size into known from session s where s.id = p_id for update;
  if known <> p_from then return known; end if;
  insert into entry (session, position, line, raw)
    select p_id, p_from + e.start, e.line, e.raw from unnest(e_offset, e_line, e_raw) as e (start, line, raw);
  insert into sent_key (session, key, position, next)
    select p_id, k.key, p_from + k.start, p_from + k.finish
    from unnest(k_key, k_offset, k_end) with ordinality as k (key, start, finish, n) order by k.n
    on conflict do nothing;
  update session s set size = p_from + p_bytes, stale = true, modified = clock_timestamp() where s.id = p_id;
  return p_from + p_bytes;
end $$;
`;
