-- The audit log names what an action was about, as it was called then. Which fields changed is in `detail`. Lines from
-- before have neither.
alter table audit_log add column resource_name text;
-- Not validated: older lines have no name and an empty detail, so there is nothing to scan.
alter table audit_log add constraint audit_log_is_bounded
  check (char_length(resource_name) <= 200 and octet_length(detail::text) <= 32768) not valid;

-- Also forgets the name of a deleted person where they were the object.
create or replace function erase_person_in_log(person uuid, public_id text, after uuid, most integer)
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
         actor_id = nullif(l.actor_id, person), resource_id = nullif(l.resource_id, public_id),
         resource_name = case when l.resource_id = public_id then null else l.resource_name end
   where l.id > after and (last is null or l.id <= last) and (l.actor_id = person or l.resource_id = public_id);
  get diagnostics changed = row_count;
  return next;
end $$;

-- Forgets a person's address everywhere, and their names in the organizations they belonged to, where they are the name
-- or a value of something else: an invitation, a contact.
create function erase_words_in_log(
  person uuid, address text, names text[], organizations uuid[], after uuid, most integer)
returns table (last uuid, changed integer)
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if most not between 1 and 10000 then raise exception 'most must be 1 to 10000'; end if;
  if exists (select from public.users where id = person and disabled_at is null) then
    raise exception 'the person is not being deleted';
  end if;
  select l.id into last from public.audit_log l where l.id > after order by l.id offset most - 1 limit 1;
  update public.audit_log l
     set resource_name = null, detail = '{}'
   where l.id > after and (last is null or l.id <= last) and (
     strpos(lower(l.resource_name), lower(address)) > 0
     or strpos(lower(l.detail::text), lower(address)) > 0
     or l.org_id = any (organizations) and exists (
       select from unnest(names) as n (name)
        where l.resource_name = n.name or strpos(l.detail::text, to_json(n.name)::text) > 0));
  get diagnostics changed = row_count;
  return next;
end $$;
revoke execute on function erase_words_in_log from public;
grant execute on function erase_words_in_log to upvane_engine;
