-- What operators did by command. It belongs to no organization, so that a line about a deleted one can stay. Lines hold
-- ids and counts, never names or addresses.
create table operator_log (
  id uuid primary key default new_uuid(),
  at timestamptz not null default now(),
  -- The account on the machine where the command ran.
  operator text not null check (char_length(operator) between 1 and 120),
  action text not null check (char_length(action) between 1 and 60),
  organization_id uuid,
  person_id uuid,
  detail jsonb not null default '{}' check (jsonb_typeof(detail) = 'object')
);
create index operator_log_of_organization on operator_log (organization_id) where organization_id is not null;
create index operator_log_of_person on operator_log (person_id) where person_id is not null;
alter table operator_log enable row level security;
create policy engine on operator_log to upvane_engine using (true) with check (true);
create policy people_append on operator_log for insert to upvane_people with check (true);
grant select, insert on operator_log to upvane_engine;
grant insert on operator_log to upvane_people;

-- Logs stay append-only for the service. These functions remove lines, each for one reason.

create function forget_old_log_lines(keep_days integer, most integer) returns integer
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  oldest_kept uuid;
  gone integer;
  gone_too integer;
begin
  if keep_days not between 30 and 3650 then raise exception 'keep_days must be 30 to 3650'; end if;
  if most not between 1 and 10000 then raise exception 'most must be 1 to 10000'; end if;
  oldest_kept := public.uuid_floor(now() - make_interval(days => keep_days));
  delete from public.audit_log where id in (
    select id from public.audit_log where id < oldest_kept order by id limit most);
  get diagnostics gone = row_count;
  delete from public.operator_log where id in (
    select id from public.operator_log where id < oldest_kept order by id limit most);
  get diagnostics gone_too = row_count;
  return gone + gone_too;
end $$;

create function erase_organization_log(organization uuid, most integer) returns integer
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare gone integer;
begin
  if most not between 1 and 10000 then raise exception 'most must be 1 to 10000'; end if;
  if not exists (select from public.organizations where id = organization and deleted_at is not null) then
    raise exception 'the organization is not being deleted';
  end if;
  delete from public.audit_log where id in (
    select id from public.audit_log where org_id = organization limit most);
  get diagnostics gone = row_count;
  return gone;
end $$;

-- Replaces a person in the next `most` lines after `after`; returns the last line it looked at, null at the end.
create function erase_person_in_log(person uuid, public_id text, after uuid, most integer)
returns table (last uuid, changed integer)
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if most not between 1 and 10000 then raise exception 'most must be 1 to 10000'; end if;
  if exists (select from public.users where id = person) then
    raise exception 'the person is not deleted';
  end if;
  select l.id into last from public.audit_log l where l.id > after order by l.id offset most - 1 limit 1;
  update public.audit_log l
     set actor_name = case when l.actor_id = person then 'Deleted person' else l.actor_name end,
         actor_id = nullif(l.actor_id, person), resource_id = nullif(l.resource_id, public_id)
   where l.id > after and (last is null or l.id <= last) and (l.actor_id = person or l.resource_id = public_id);
  get diagnostics changed = row_count;
  return next;
end $$;

create function forget_operator_lines(organization uuid, person uuid) returns integer
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare gone integer;
begin
  if exists (select from public.organizations where id = organization)
     or exists (select from public.users where id = person) then
    raise exception 'it is not deleted';
  end if;
  delete from public.operator_log where organization_id = organization or person_id = person;
  get diagnostics gone = row_count;
  return gone;
end $$;

revoke execute on function forget_old_log_lines, erase_organization_log, erase_person_in_log, forget_operator_lines
  from public;
grant execute on function forget_old_log_lines, erase_organization_log to upvane_engine;
grant execute on function erase_person_in_log to upvane_engine;
grant execute on function forget_operator_lines to upvane_engine, upvane_people;
