-- A check that runs in several regions at once (mode EACH) keeps one result, as every check does, and beside it one row for
-- each region that was asked. Same columns as results, of which `region` is never null here.
create table region_results (
  monitor_no bigint not null,
  slot timestamptz not null,
  region smallint not null,
  response_ms integer,
  verdict smallint not null,
  status_code smallint,
  detail integer,
  primary key (monitor_no, slot, region)
) partition by range (slot);
alter table region_results enable row level security;
create policy tenant on region_results for select to upvane_app
  using (exists (select from monitors m where m.no = monitor_no));
create policy engine on region_results to upvane_engine using (true) with check (true);
grant select on region_results to upvane_app;
grant select, insert, update, delete on region_results to upvane_engine;

-- As before, and for the rows of regions.
create or replace function ensure_partitions(first_day date, days integer) returns integer
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
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
    foreach parent in array array['results', 'region_results', 'heartbeat_calls', 'events', 'deliveries', 'attempts'] loop
      child := format('%s_%s', parent, to_char(day, 'YYYYMMDD'));
      continue when to_regclass('public.' || child) is not null;
      execute format('create table public.%I (like public.%I including all) with (fillfactor = %s)',
        child, parent, case parent when 'deliveries' then 70 else 100 end);
      if parent = 'results' then
        execute format('grant insert on public.%I to upvane_engine', child);
      end if;
      if parent in ('results', 'region_results', 'heartbeat_calls') then
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

select ensure_partitions((now() at time zone 'UTC')::date - 1, 9);

-- As before, and for the rows of regions. Nothing is rolled up from them.
create or replace function drop_expired_partition(parent text, keep_days integer)
returns table (partition text, dropped boolean)
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set lock_timeout = '100ms' as $$
declare
  keep_from date := (now() at time zone 'UTC')::date - keep_days;
begin
  if parent not in ('results', 'region_results', 'result_packs', 'heartbeat_calls', 'events', 'deliveries', 'attempts') then
    raise exception 'no partitions of % are dropped', parent;
  end if;
  if keep_days not between 1 and 3650 then raise exception 'keep_days must be 1 to 3650'; end if;
  -- What is not rolled up yet stays, however old.
  if parent in ('results', 'result_packs') then
    select least(keep_from, (min(p.period) at time zone 'UTC')::date) into keep_from
      from public.upkeep_progress p where p.task in ('HOURS', 'DAYS');
  end if;
  select c.relname into partition
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
   where i.inhparent = ('public.' || parent)::regclass
     and right(c.relname, 8) < to_char(keep_from, 'YYYYMMDD')
   order by c.relname limit 1;
  if partition is null then return; end if;

  begin
    execute format('drop table if exists public.%I', partition);
    dropped := true;
  exception when lock_not_available then
    dropped := false;
  end;
  if parent = 'result_packs' and dropped then
    delete from public.packed_days d where d.day = to_date(right(partition, 8), 'YYYYMMDD');
  end if;
  return next;
end $$;

-- The previous version reads the regions alone, and checks such a monitor in the first of them.
alter table region_settings drop constraint region_settings_mode_check;
alter table region_settings add constraint region_settings_mode_check check (mode in ('FIRST', 'EACH'));
-- How many regions have to fail; null: the majority. With fewer regions left than that, all of them.
alter table region_settings add column down_when smallint check (down_when between 1 and 10);
alter table region_settings add check (down_when is null or mode = 'EACH');

-- A region in which every check should run, and in which none does: it has no probe, or never reached the target.
alter table monitor_notices drop constraint monitor_notices_kind_check;
alter table monitor_notices add constraint monitor_notices_kind_check
  check (kind in ('NOT_CHECKED', 'FAILS_FROM_HOME', 'REGION_LEFT_OUT'));
alter table owner_notices drop constraint owner_notices_kind_check;
alter table owner_notices add constraint owner_notices_kind_check
  check (kind in ('NOT_CHECKED', 'FAILS_FROM_HOME', 'REGION_LEFT_OUT'));
