-- Settings of an organization: deletion with days of grace, a second factor for every member, a time zone.
alter table organizations
  -- When a deletion that an owner requested becomes final. 'epoch' once erasing has begun, which nobody can undo.
  add column erase_at timestamptz,
  add column requires_second_factor boolean not null default false,
  -- Null: the time zone of each person's browser.
  add column timezone text,
  -- Not valid: existing rows have none of it, and need not be read under a lock.
  add constraint organizations_erase_check check (erase_at is null or deleted_at is not null) not valid,
  add constraint organizations_timezone_check check (char_length(timezone) between 1 and 64) not valid;
create index organizations_to_erase on organizations (erase_at) where erase_at is not null;
-- The gate at sign-in reads them before it lets anyone in.
grant select (erase_at, requires_second_factor, timezone) on organizations to upvane_people;

-- Pages of a deleted organization are not public.
create or replace function find_public_page(wanted_slug text, wanted_domain text)
returns table (org_id uuid, page_id uuid)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select p.org_id, p.id
    from (select s.org_id, s.id from status_pages s where s.published and s.slug = wanted_slug
          union all
          select s.org_id, s.id from status_pages s
           where s.published and s.custom_domain = wanted_domain and s.custom_domain_status = 'ACTIVE') p
    join organizations o on o.id = p.org_id and o.deleted_at is null
$$;
