-- An organization that moves to another installation is frozen here: it counts as deleted everywhere, keeps its keys,
-- and is never erased by itself. Undoing the move clears both columns.
alter table organizations
  add column moved_at timestamptz,
  -- Not valid: existing rows have none of it, and need not be read under a lock.
  add constraint organizations_moved_check check (moved_at is null or deleted_at is not null) not valid;
-- The gate at sign-in says why an organization cannot be used.
grant select (moved_at) on organizations to upvane_people;

-- Which of these keys would be valid if their organization were not moving, so that their owners get a clear answer.
create function moved_keys(key_hashes bytea[]) returns setof bytea
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select k.hash
    from api_keys k join organizations o on o.id = k.org_id and o.moved_at is not null
   where k.hash = any (key_hashes) and k.disabled_at is null and k.revoked_at is null
     and (k.expires_at is null or k.expires_at > now())
$$;
revoke execute on function moved_keys from public;
grant execute on function moved_keys to upvane_app;

-- Whether there would be a public page at this address if its organization were not moving.
create function page_is_moving(wanted_slug text, wanted_domain text) returns boolean
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select exists (
    select from (select s.org_id from status_pages s where s.published and s.slug = wanted_slug
                 union all
                 select s.org_id from status_pages s
                  where s.published and s.custom_domain = wanted_domain and s.custom_domain_status = 'ACTIVE') p
      join organizations o on o.id = p.org_id and o.moved_at is not null)
$$;
revoke execute on function page_is_moving from public;
grant execute on function page_is_moving to upvane_app;
