-- Day partitions, made ahead by the janitor; the first ones are made here. A partition is filled in as a plain
-- table and then attached: attaching takes no lock that would stop readers or writers of the parent.

create function uuid_floor(at timestamptz) returns uuid
  language sql immutable parallel safe strict
  return rpad(lpad(to_hex(floor(extract(epoch from at) * 1000)::bigint), 12, '0'), 32, '0')::uuid;

create function ensure_partitions(first_day date, days integer) returns integer
language plpgsql security definer set search_path = pg_catalog, public as $$
declare
  parent text;
  day date;
  child text;
  from_at timestamptz;
  to_at timestamptz;
  made integer := 0;
begin
  if days not between 1 and 60 then raise exception 'days must be 1 to 60'; end if;
  -- Two janitors may call at once; the second one finds everything made.
  perform pg_advisory_xact_lock(hashtextextended('ensure_partitions', 0));
  for day in select first_day + n from generate_series(0, days - 1) n loop
    from_at := day::timestamp at time zone 'UTC';
    to_at := (day + 1)::timestamp at time zone 'UTC';
    foreach parent in array array['results', 'heartbeat_calls', 'events', 'deliveries', 'attempts'] loop
      child := format('%s_%s', parent, to_char(day, 'YYYYMMDD'));
      continue when to_regclass('public.' || child) is not null;
      execute format('create table public.%I (like public.%I including all) with (fillfactor = %s)',
        child, parent, case parent when 'deliveries' then 70 else 100 end);
      if parent in ('results', 'heartbeat_calls') then
        execute format('alter table public.%I attach partition public.%I for values from (%L) to (%L)',
          parent, child, from_at, to_at);
      else
        execute format('alter table public.%I attach partition public.%I for values from (%L) to (%L)',
          parent, child, public.uuid_floor(from_at), public.uuid_floor(to_at));
      end if;
      made := made + 1;
    end loop;
  end loop;
  return made;
end $$;
revoke execute on function ensure_partitions from public;
grant execute on function ensure_partitions to upvane_engine;

select ensure_partitions((now() at time zone 'UTC')::date - 1, 9);
