-- A function that runs with the owner's rights must find our tables and nobody else's. Unless pg_temp is named last, it
-- is searched first: a temporary table of the caller would stand in for a real one.
do $$
declare found regprocedure;
begin
  for found in
    select p.oid from pg_proc p join pg_namespace n on n.oid = p.pronamespace
     where p.prosecdef and n.nspname = 'public' and pg_has_role(p.proowner, 'usage')
  loop
    execute format('alter function %s set search_path = pg_catalog, public, pg_temp', found);
  end loop;
end $$;

-- The service needs no temporary tables. Where somebody else owns the database, this changes nothing.
do $$
begin
  execute format('revoke temporary on database %I from public', current_database());
exception when insufficient_privilege then
  raise notice 'Temporary tables stay allowed: the database belongs to another account.';
end $$;
