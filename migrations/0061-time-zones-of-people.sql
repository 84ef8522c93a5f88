-- The zone in which emails to a person write times. Null: that of their organization, or UTC.
alter table users add column timezone text check (length(timezone) <= 64);
grant select (timezone) on users to upvane_app;

-- The engine knows no people. This is all it may ask: who has chosen a zone.
create function zones_of_members(organization uuid) returns table (email text, timezone text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select u.email, u.timezone from members m join users u on u.id = m.user_id
   where m.org_id = organization and u.timezone is not null and u.disabled_at is null
   order by u.id limit 1000
$$;
revoke execute on function zones_of_members from public;
grant execute on function zones_of_members to upvane_engine;
