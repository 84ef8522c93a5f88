-- Finished days of results, packed: one row of arrays for a monitor's day instead of one row for each check. The arrays are
-- written by store/history/pack-format.ts and read by packed_results below. A day is read from here once it is in
-- packed_days; until then from its rows.
create table result_packs (
  monitor_no bigint not null,
  day date not null,
  results integer not null,
  -- Bit n is set if some result has verdict n, so that a search for failures skips the days without one.
  verdict_bits bigint not null,
  -- Microseconds since the result before; for the first one, since midnight UTC.
  gaps bigint[] not null,
  -- Bits 0 to 7 kind, 8 to 15 verdict, 16 has a response time, 17 has a detail, 18 to 34 status code, 35 to 51 region.
  -- The last two are 0 for null, or the number plus 32769.
  codes bigint[] not null,
  -- A response time without its last byte, its last byte, and the bytes of a detail. Bytes are stored minus 128.
  ms_high integer[] not null,
  ms_low "char"[] not null,
  detail_0 "char"[] not null,
  detail_1 "char"[] not null,
  detail_2 "char"[] not null,
  detail_3 "char"[] not null,
  primary key (monitor_no, day)
) partition by range (day);
alter table result_packs enable row level security;
create policy tenant on result_packs for select to upvane_app
  using (exists (select from monitors m where m.no = monitor_no));
create policy engine on result_packs to upvane_engine using (true) with check (true);
grant select on result_packs to upvane_app;
grant select, insert, update, delete on result_packs to upvane_engine;

-- Days whose results are read from their packs.
create table packed_days (
  day date primary key,
  published_at timestamptz not null default now()
);
grant select on packed_days to upvane_app, upvane_engine;

-- The day that is being packed, and the last monitor whose pack is written; the largest number if all are. Its lock is held
-- while a batch is packed, while a day is published, and while late results are inserted.
create table packing_progress (
  only_row boolean primary key default true check (only_row),
  day date,
  after_monitor_no bigint not null default 0
);
insert into packing_progress default values;
grant select, update on packing_progress to upvane_engine;

-- Creates the partition for the packs of a day. The packs of monitors with few checks are small: without a lower target
-- they would not be compressed.
create function ensure_pack_partition(of_day date) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  child text := 'result_packs_' || to_char(of_day, 'YYYYMMDD');
  packed text;
begin
  perform pg_advisory_xact_lock(hashtextextended('ensure_partitions', 0));
  if to_regclass('public.' || child) is not null then return; end if;
  execute format('create table public.%I (like public.result_packs including all) with (toast_tuple_target = 512)', child);
  begin
    foreach packed in array array['gaps', 'codes', 'ms_high', 'ms_low', 'detail_0', 'detail_1', 'detail_2', 'detail_3'] loop
      execute format('alter table public.%I alter column %I set compression lz4', child, packed);
    end loop;
  exception when feature_not_supported then
    -- A server without lz4 uses pglz.
    null;
  end;
  execute format('alter table public.result_packs attach partition public.%I for values from (%L) to (%L)',
    child, of_day, of_day + 1);
end $$;
revoke execute on function ensure_pack_partition from public;
grant execute on function ensure_pack_partition to upvane_engine;

-- From its commit on, the day is read from its packs and no longer from its rows. A reader locks results before it takes its
-- snapshot, so it finds either both the rows and no entry, or the entry and no rows. False if a reader was in the way.
-- The detached table gets another name, so that the day can have a partition again.
create function publish_packed_day(of_day date) returns boolean
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set lock_timeout = '100ms' as $$
declare
  child text := 'results_' || to_char(of_day, 'YYYYMMDD');
begin
  if not exists (select from public.packing_progress p
                  where p.day = of_day and p.after_monitor_no = 9223372036854775807) then
    raise exception '% is not packed completely', of_day;
  end if;
  begin
    execute format('alter table public.results detach partition public.%I', child);
    execute format('alter table public.%I rename to %I', child, 'packed_rows_' || to_char(of_day, 'YYYYMMDD'));
  exception when lock_not_available then
    return false;
  end;
  insert into public.packed_days (day) values (of_day);
  return true;
end $$;
revoke execute on function publish_packed_day from public;
grant execute on function publish_packed_day to upvane_engine;

-- Drops the detached rows of the oldest day that was published long enough ago. No row if there is none.
create function drop_packed_rows(grace_seconds integer) returns table (partition text, dropped boolean)
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set lock_timeout = '100ms' as $$
begin
  if grace_seconds not between 0 and 604800 then raise exception 'grace_seconds must be 0 to 604800'; end if;
  select c.relname::text into partition
    from public.packed_days d
    join pg_class c on c.oid = to_regclass('public.packed_rows_' || to_char(d.day, 'YYYYMMDD'))
   where d.published_at <= now() - make_interval(secs => grace_seconds)
   order by d.day limit 1;
  if partition is null then return; end if;
  begin
    execute format('drop table if exists public.%I', partition);
    dropped := true;
  exception when lock_not_available then
    dropped := false;
  end;
  return next;
end $$;
revoke execute on function drop_packed_rows from public;
grant execute on function drop_packed_rows to upvane_engine;

-- The results of a monitor's packed days, newest day first, as rows of results. With most, at most the newest so many; with
-- placed, only those that have a region. Runs with the rights of its caller.
-- A year has 365 partitions, and a generic plan would lock all of them at every call: some twenty readers would exhaust the
-- default lock table. So it plans for a month at a time, and ends as soon as it has enough.
create function packed_results(
  of_monitor bigint, from_at timestamptz, before_at timestamptz,
  verdicts smallint[] default null, most integer default null, placed boolean default false)
returns setof results language plpgsql stable set plan_cache_mode = force_custom_plan as $$
declare
  pack public.result_packs;
  newest date;
  oldest date;
  midnight timestamptz;
  wanted bigint := (select coalesce(bit_or(1::bigint << least(v::integer, 62)), 0) from unnest(verdicts) v);
  added bigint;
  total bigint := 0;
begin
  select max(d.day), min(d.day) into newest, oldest from public.packed_days d
   where d.day between (from_at at time zone 'UTC')::date and (before_at at time zone 'UTC')::date;
  <<months>>
  while newest >= oldest loop
    for pack in
      select p.* from public.result_packs p join public.packed_days d on d.day = p.day
       where p.monitor_no = of_monitor and p.day between greatest(oldest, newest - 30) and newest
         and (verdicts is null or (p.verdict_bits & wanted) <> 0)
       order by p.day desc
    loop
      midnight := pack.day::timestamp at time zone 'UTC';
      return query
        select pack.monitor_no, u.slot, u.response_ms, u.kind, u.verdict, u.status_code, u.region, u.detail
          from (
            select midnight + (sum(e.gap) over (order by e.n rows unbounded preceding))::double precision
                              * interval '1 microsecond' as slot,
                   case when (e.code & 65536) <> 0
                        then (e.ms_high << 8) | (e.ms_low::integer + 128) end as response_ms,
                   (e.code & 255)::smallint as kind,
                   ((e.code >> 8) & 255)::smallint as verdict,
                   (nullif((e.code >> 18) & 131071, 0) - 32769)::smallint as status_code,
                   (nullif((e.code >> 35) & 131071, 0) - 32769)::smallint as region,
                   case when (e.code & 131072) <> 0
                        then (e.d0::integer + 128) | ((e.d1::integer + 128) << 8)
                             | ((e.d2::integer + 128) << 16) | ((e.d3::integer + 128) << 24) end as detail
              from unnest(pack.gaps, pack.codes, pack.ms_high, pack.ms_low,
                          pack.detail_0, pack.detail_1, pack.detail_2, pack.detail_3)
                   with ordinality as e (gap, code, ms_high, ms_low, d0, d1, d2, d3, n)) u
         where u.slot >= from_at and u.slot < before_at
           and (verdicts is null or u.verdict = any (verdicts))
           and (not placed or u.region is not null)
         order by u.slot desc limit most - total;
      get diagnostics added = row_count;
      total := total + added;
      exit months when total >= most;
    end loop;
    newest := newest - 31;
  end loop;
end $$;

-- As before, and for packs: their days are then no longer listed either.
create or replace function drop_expired_partition(parent text, keep_days integer)
returns table (partition text, dropped boolean)
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set lock_timeout = '100ms' as $$
declare
  keep_from date := (now() at time zone 'UTC')::date - keep_days;
begin
  if parent not in ('results', 'result_packs', 'heartbeat_calls', 'events', 'deliveries', 'attempts') then
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
