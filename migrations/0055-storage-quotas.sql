-- What one organization can store has a bound. Responses kept for replays are counted in bytes, where they are written and
-- deleted, so that the count is exact whichever version or command does it.

-- As large as it is on disk, with its entries in indexes. A reservation counts as much as its response can.
create function stored_response_bytes(key text, body bytea, location text) returns bigint
  language sql immutable parallel safe
  return 300 + 2 * octet_length(key) + coalesce(octet_length(location), 0)
    + case when body is null then 4096 else octet_length(body)::bigint * 21 / 20 end;

create table stored_response_usage (
  org_id uuid primary key references organizations on delete cascade,
  bytes bigint not null
) with (fillfactor = 50);
call protect_tenant_table('stored_response_usage');

-- Most changes of a binding are to columns without an index; the free space keeps them in place.
alter table code_bindings set (fillfactor = 70);

create index idempotency_records_of on idempotency_records (org_id, expires_at);

-- Counters are locked by organization, so that two statements over many never wait for each other.
create function count_stored_responses() returns trigger language plpgsql set search_path = pg_catalog, public as $$
begin
  if tg_op = 'INSERT' then
    insert into stored_response_usage as u (org_id, bytes)
    select org_id, sum(stored_response_bytes(key, body, location)) from added group by org_id order by org_id
    on conflict (org_id) do update set bytes = u.bytes + excluded.bytes;
    return null;
  end if;
  if tg_op = 'UPDATE' then
    insert into stored_response_usage as u (org_id, bytes)
    select org_id, sum(bytes) from (
      select org_id, stored_response_bytes(key, body, location) as bytes from added
      union all
      select org_id, -stored_response_bytes(key, body, location) from removed) c
     group by org_id order by org_id
    on conflict (org_id) do update set bytes = u.bytes + excluded.bytes;
    return null;
  end if;
  -- Not inserted: the organization may be going as well.
  perform from stored_response_usage
   where org_id in (select org_id from removed) order by org_id for no key update;
  update stored_response_usage u set bytes = u.bytes - r.bytes
    from (select org_id, sum(stored_response_bytes(key, body, location)) as bytes from removed group by org_id) r
   where u.org_id = r.org_id;
  return null;
end $$;

create trigger count_inserted after insert on idempotency_records
  referencing new table as added for each statement execute function count_stored_responses();
create trigger count_updated after update on idempotency_records
  referencing old table as removed new table as added for each statement execute function count_stored_responses();
create trigger count_deleted after delete on idempotency_records
  referencing old table as removed for each statement execute function count_stored_responses();

insert into stored_response_usage (org_id, bytes)
select org_id, sum(stored_response_bytes(key, body, location)) from idempotency_records group by org_id;

-- Deletes the oldest entries of an organization's log beyond the newest, up to $3.
create function forget_surplus_log_lines(organization uuid, kept integer, most integer) returns integer
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare gone integer;
begin
  if kept < 1000 then raise exception 'kept must be at least 1000'; end if;
  if most not between 1 and 10000 then raise exception 'most must be 1 to 10000'; end if;
  delete from public.audit_log where id in (
    select l.id from public.audit_log l,
           (select at, id from public.audit_log where org_id = organization
             order by at desc, id desc offset kept limit 1) first
     where l.org_id = organization and (l.at, l.id) <= (first.at, first.id)
     order by l.at, l.id limit most);
  get diagnostics gone = row_count;
  return gone;
end $$;
revoke execute on function forget_surplus_log_lines from public;
grant execute on function forget_surplus_log_lines to upvane_engine;

-- Once in half an hour, by one janitor.
alter table upkeep_progress drop constraint upkeep_progress_task_check,
  add check (task in ('HOURS', 'DAYS', 'RETENTION', 'SURPLUS'));
insert into upkeep_progress (task, period) values ('SURPLUS', now());

-- To count the updates of an organization.
create index status_incident_updates_of_organization on status_incident_updates (org_id);
