-- Every Host that is not the service's own is looked up before any organization is known: which of these names are
-- custom domains in service, whether their page is published or not.
create function find_active_domains(wanted text[])
returns setof text
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select custom_domain from status_pages
   where custom_domain = any (wanted) and custom_domain_status = 'ACTIVE'
$$;
revoke execute on function find_active_domains from public;
grant execute on function find_active_domains to upvane_app;
