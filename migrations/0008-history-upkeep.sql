-- The upkeep of history: old partitions go whole, every walk over all monitors remembers how far it came, and
-- a result that arrives late says which hour has to be summed up again.

-- One row per walk. Its lock is held for one batch: janitors side by side share the work and never repeat it.
create table upkeep_progress (
  task text primary key check (task in ('HOURS', 'DAYS', 'RETENTION')),
  -- The hour or day in hand, and the last monitor that is done with it.
  period timestamptz not null,
  after_monitor_no bigint not null default 0
) with (fillfactor = 50);
grant select, update on upkeep_progress to upvane_engine;

-- Roll-ups begin with the oldest results there are, as the names of the partitions tell.
insert into upkeep_progress (task, period)
select task, coalesce(oldest, date_trunc('day', now(), 'UTC'))
  from (select min(to_date(right(c.relname, 8), 'YYYYMMDD'))::timestamp at time zone 'UTC' as oldest
          from pg_inherits i join pg_class c on c.oid = i.inhrelid
         where i.inhparent = 'results'::regclass) partitions,
       unnest(array['HOURS', 'DAYS', 'RETENTION']) task;

create table late_hours (
  monitor_no bigint not null,
  hour timestamptz not null,
  primary key (monitor_no, hour)
);
grant select, insert, update, delete on late_hours to upvane_engine;

-- An hour is summed up ten minutes after its end. Five are taken here, so that a slow transaction that
-- began before and commits after is marked as well. A mark that is there already is locked, not passed
-- over: whoever takes it down waits for us, and then sees what we wrote.
create function mark_late_results() returns trigger language plpgsql as $$
begin
  insert into public.late_hours (monitor_no, hour)
  select distinct monitor_no, date_trunc('hour', slot, 'UTC') from added
   where slot < date_trunc('hour', now() - interval '5 minutes', 'UTC')
   order by 1, 2
  on conflict (monitor_no, hour) do update set hour = excluded.hour;
  return null;
end $$;
create trigger mark_late_results after insert on results
  referencing new table as added for each statement execute function mark_late_results();

-- Drops the oldest partition of which every row is older than keep_days; none when there is no such one.
-- Dropping takes the parent from everybody for a moment: it waits only briefly for it, so that a long
-- reader costs writers a tenth of a second and not its whole length, and takes one partition per call.
create function drop_expired_partition(parent text, keep_days integer)
returns table (partition text, dropped boolean)
language plpgsql security definer set search_path = pg_catalog, public set lock_timeout = '100ms' as $$
declare
  keep_from date := (now() at time zone 'UTC')::date - keep_days;
begin
  if parent not in ('results', 'heartbeat_calls', 'events', 'deliveries', 'attempts') then
    raise exception 'no partitions of % are dropped', parent;
  end if;
  if keep_days not between 1 and 3650 then raise exception 'keep_days must be 1 to 3650'; end if;
  -- What is not summed up yet stays, however old.
  if parent = 'results' then
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
  return next;
end $$;
revoke execute on function drop_expired_partition from public;
grant execute on function drop_expired_partition to upvane_engine;

-- Janitors take a deleted monitor by locking its marker.
grant update on deleted_monitors to upvane_engine;
