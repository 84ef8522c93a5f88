-- Every check writes the state row of its monitor. The slot that is due next had an index, so each write made
-- new entries in all of them; and what changes lay among what does not, so the log carried both. Now nothing
-- that a check changes is indexed, and what it changes lies together at the end of the row. Schedulers read
-- the slots of a shard once, when they take it, and know from then on what they moved themselves; what
-- somebody else moved is marked for them.
-- The table is written anew under its lock: a million rows take some seconds, in which no check lands.

create temporary table kept_states on commit drop as select * from monitor_states;
drop table monitor_states;
create table monitor_states (
  monitor_no bigint primary key,
  org_id uuid not null,
  -- Bumped by pause, resume and every change of what is checked: a result of an older epoch drives nothing.
  epoch integer not null default 0,
  shard smallint not null check (shard between 0 and 255),
  -- Somebody else than the shard's owner has moved next_due_at, and its owner has not read it yet.
  due_unread boolean not null default false,
  state text not null check (state in ('PENDING', 'UP', 'DEGRADED', 'DOWN', 'PAUSED')),
  last_status_changed_at timestamptz,
  cert_expires_at timestamptz,
  -- The expiry date of a certificate or domain that was told about.
  expiry_told_for timestamptz,
  dns_baseline jsonb,
  -- CRON only: where the period's clock started, the last ping, the runs that are under way.
  heartbeat jsonb,
  samples integer[] not null default '{}',
  last_response_ms integer,
  -- The slot that is due next; null while paused, and for a CRON monitor that missed its deadline.
  next_due_at timestamptz,
  last_slot timestamptz,
  last_checked_at timestamptz,
  -- Takes the place of versions to come until the first check gives it back. A fillfactor that left as much
  -- would make PostgreSQL tidy up the page after every single write, and log that too.
  room bytea default decode(repeat('00', 200), 'hex'),
  foreign key (org_id, monitor_no) references monitors (org_id, no) on delete cascade,
  check (state <> 'PAUSED' or next_due_at is null)
) with (fillfactor = 90);

insert into monitor_states (
  monitor_no, org_id, epoch, shard, state, last_status_changed_at, cert_expires_at, expiry_told_for,
  dns_baseline, heartbeat, samples, last_response_ms, next_due_at, last_slot, last_checked_at)
select monitor_no, org_id, epoch, shard, state, last_status_changed_at, cert_expires_at, expiry_told_for,
       dns_baseline, heartbeat, samples, last_response_ms, next_due_at, last_slot, last_checked_at
  from kept_states order by monitor_no;

-- Neither holds a column that a check changes.
create index monitor_states_by_shard on monitor_states (shard, monitor_no);
create index monitor_states_unread on monitor_states (shard) where due_unread;
call protect_tenant_table('monitor_states');
analyze monitor_states;

-- Results go into the partition of their day by COPY, which is not for tables with policies; a partition has
-- none of its own, and nobody reads it but through its parent.
create or replace function ensure_partitions(first_day date, days integer) returns integer
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
      if parent = 'results' then
        execute format('grant insert on public.%I to upvane_engine', child);
      end if;
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

do $$
declare child regclass;
begin
  for child in select inhrelid::regclass from pg_inherits where inhparent = 'results'::regclass loop
    execute format('grant insert on %s to upvane_engine', child);
  end loop;
end $$;
