-- Owners are told when an alert contact cannot be reached: once for each stretch of failures, and once more when it is
-- given up.

alter table alert_contacts
  add column owners_told_at timestamptz,
  add column owners_told_of text check (owners_told_of in ('FAILING', 'GIVEN_UP')),
  add check ((owners_told_at is null) = (owners_told_of is null));

-- The engine knows no people. This is all it may ask: whom to write to.
create function owners_of(organization uuid) returns table (email text)
language sql stable security definer set search_path = pg_catalog, public as $$
  select u.email from members m join users u on u.id = m.user_id
   where m.org_id = organization and m.role = 'OWNER' and u.disabled_at is null
   order by u.id limit 100
$$;
revoke execute on function owners_of from public;
grant execute on function owners_of to upvane_engine;
