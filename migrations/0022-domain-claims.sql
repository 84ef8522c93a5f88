-- Anybody may claim a custom domain; the TXT record decides who gets it. A claim that was not proven must not
-- keep the owner of the domain from theirs, so only domains in service are unique.
alter table status_pages drop constraint status_pages_custom_domain_key;
create unique index status_pages_active_domain on status_pages (custom_domain)
  where custom_domain_status = 'ACTIVE';

-- Since when the proof has been missing. A claim that stays failed is released after a week.
alter table status_pages add column custom_domain_failed_at timestamptz;
update status_pages set custom_domain_failed_at = now() where custom_domain_status = 'FAILED';

create or replace function find_taken_addresses(wanted text[], own_page uuid)
returns setof text
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select slug from status_pages where slug = any (wanted) and id is distinct from own_page
  union all
  select custom_domain from status_pages
   where custom_domain = any (wanted) and custom_domain_status = 'ACTIVE' and id is distinct from own_page
$$;
