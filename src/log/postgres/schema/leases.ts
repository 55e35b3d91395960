/**
 * Rows are locked before anything is looked at: each statement of a function sees what was committed before it began, so
 * what it reads of a locked row cannot change until the function's transaction ends.
 */
export const LEASES = `
create function is_alive(p_process text, p_whole_time boolean) returns boolean language sql volatile as $$
  select exists (
    select 1 from process p
    where p.id = p_process and p.until > clock_timestamp() and (p_whole_time or not p.gone)
  )
$$;

-- The new fence, and whether a dead process has left the lease. 0 while another process holds it, -1 if this process is not
-- alive, null if there is no session. A process that asks for its own lease has not received the answer to its first request.
create function acquire_session(p_session text, p_process text, out fence bigint, out is_left boolean)
language plpgsql as $$
declare
  found_holder text;
begin
  select s.holder into found_holder from session s where s.id = p_session and s.visible for update;
  if not found then return; end if;
  fence := -1;
  if not is_alive(p_process, false) then return; end if;
  is_left := coalesce(found_holder <> p_process, false);
  fence := 0;
  if is_left and is_alive(found_holder, false) then return; end if;
  update session s set holder = p_process, fence = s.fence + 1 where s.id = p_session
    returning s.fence into acquire_session.fence;
end $$;

-- The same for any other lease. Its holder may act on another system, which knows no fences: it keeps the lease for its whole time.
create function acquire_lease(p_name text, p_process text, out fence bigint, out is_left boolean)
language plpgsql as $$
declare
  found_holder text;
begin
  insert into lease as l (name, holder, fence) values (p_name, null, 0) on conflict do nothing;
  select l.holder into found_holder from lease l where l.name = p_name for update;
  fence := -1;
  if not is_alive(p_process, false) then return; end if;
  is_left := coalesce(found_holder <> p_process, false);
  fence := 0;
  if is_left and is_alive(found_holder, true) then return; end if;
  update lease l set holder = p_process, fence = l.fence + 1 where l.name = p_name
    returning l.fence into acquire_lease.fence;
end $$;

-- Whether a lease is held, which stays true until the transaction ends.
create function holds(p_session text, p_name text, p_process text, p_fence bigint) returns boolean language plpgsql as $$
begin
  if p_session is not null then
    perform 1 from session s where s.id = p_session and s.holder = p_process and s.fence = p_fence for share;
  else
    perform 1 from lease l where l.name = p_name and l.holder = p_process and l.fence = p_fence for share;
  end if;
  return found;
end $$;
`;
