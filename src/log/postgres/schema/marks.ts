/** Replaces the function of version 1, which kept a text that arrived after what followed it. */
export const MARKS = `
-- Operations on run marks: open, append, clear, remove. The numbers of those that were allowed. Only an open waits for the disk.
-- The network can deliver a text after what followed it: it is left out if a later number is there. A clear leaves its number.
create or replace function mark_batch(
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
      insert into mark_text (session, fence, n, text)
        select one.session, one.fence, one.n, one.text where not exists (
          select 1 from mark_text t where t.session = one.session and t.fence = one.fence and t.n >= one.n);
    else
      delete from mark_text t where t.session = one.session and (t.fence < one.fence or t.n < one.n);
    end if;
    if one.what = 'clear' then
      insert into mark_text (session, fence, n, text) values (one.session, one.fence, one.n, '') on conflict do nothing;
    end if;
    if one.what in ('open', 'remove') then
      update session s set running = one.what = 'open'
        where s.id = one.session and s.running <> (one.what = 'open');
    end if;
    return next one.n;
  end loop;
end $$;
`;
