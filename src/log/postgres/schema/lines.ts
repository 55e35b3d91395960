/** Lines that any process adds. \`shared_lines.size\` is the number of the last line; its lock keeps the order of commits. */
export const LINES = `
create table shared_lines (
  name text primary key,
  size bigint not null
) with (fillfactor = 50);

create table shared_line (
  name text not null,
  n bigint not null,
  id text not null,
  line text not null,
  primary key (name, n)
);
create unique index shared_line_id on shared_line (name, id);

-- Can be repeated: a line whose id is stored is not stored again. The commit does not wait for the disk.
create function add_lines(p_name text, p_ids text[], p_lines text[]) returns void language plpgsql as $$
declare
  last bigint;
  added bigint;
begin
  perform set_config('synchronous_commit', 'off', true);
  insert into shared_lines (name, size) values (p_name, 0) on conflict do nothing;
  select s.size into last from shared_lines s where s.name = p_name for update;
  insert into shared_line (name, n, id, line)
    select p_name, last + row_number() over (order by a.n), a.id, a.line
    from unnest(p_ids, p_lines) with ordinality as a (id, line, n)
    where not exists (select 1 from shared_line l where l.name = p_name and l.id = a.id);
  get diagnostics added = row_count;
  update shared_lines s set size = last + added where s.name = p_name;
end $$;
`;
