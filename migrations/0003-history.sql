-- What was seen. These tables carry no foreign keys and no organization: at 17,000 rows a second every
-- byte counts. They are reached through their monitor, and a deleted monitor's rows are unreachable.

create table regions (
  no smallint generated always as identity primary key,
  name text not null unique
);
grant select on regions to upvane_app;
grant select, insert on regions to upvane_engine;

create table results (
  monitor_no bigint not null,
  slot timestamptz not null,
  response_ms integer,
  kind smallint not null,
  verdict smallint not null,
  status_code smallint,
  region smallint,
  primary key (monitor_no, slot)
) partition by range (slot);

-- The truth of uptime: one row per stretch of time in one state.
create table state_spans (
  monitor_no bigint not null,
  started_at timestamptz not null,
  ended_at timestamptz,
  state text not null,
  primary key (monitor_no, started_at)
);
create index state_spans_open on state_spans (monitor_no) where ended_at is null;

create table missed (
  monitor_no bigint not null,
  from_slot timestamptz not null,
  to_slot timestamptz not null,
  count integer not null,
  reason text not null
    check (reason in ('ENGINE_DOWN', 'OVERLAP', 'ORG_CAP', 'NO_PROBE', 'SUBSCRIPTION')),
  primary key (monitor_no, from_slot)
);

create table result_hours (
  monitor_no bigint not null,
  hour timestamptz not null,
  ok integer not null,
  failed integer not null,
  inconclusive integer not null,
  p50_ms integer,
  p95_ms integer,
  max_ms integer,
  primary key (monitor_no, hour)
);

create table result_days (
  monitor_no bigint not null,
  day date not null,
  ok integer not null,
  failed integer not null,
  inconclusive integer not null,
  p50_ms integer,
  p95_ms integer,
  max_ms integer,
  primary key (monitor_no, day)
);

-- Written at the edges of a window and never rewritten: editing a window does not change the past.
create table maintenance_spans (
  monitor_no bigint not null,
  started_at timestamptz not null,
  ended_at timestamptz,
  window_id uuid not null,
  primary key (monitor_no, started_at, window_id)
);

do $$
declare history regclass;
begin
  foreach history in array array['results', 'state_spans', 'missed', 'result_hours', 'result_days', 'maintenance_spans']::regclass[] loop
    execute format('alter table %s enable row level security', history);
    execute format(
      'create policy tenant on %s for select to upvane_app using (exists (select from monitors m where m.no = monitor_no))',
      history);
    execute format('create policy engine on %s to upvane_engine using (true) with check (true)', history);
    execute format('grant select on %s to upvane_app', history);
    execute format('grant select, insert, update, delete on %s to upvane_engine', history);
  end loop;
end $$;
-- A change by a person ends a span too, and writes off slots that were due and never ran.
create policy tenant_write on state_spans to upvane_app
  using (exists (select from monitors m where m.no = monitor_no))
  with check (exists (select from monitors m where m.no = monitor_no));
grant insert, update, delete on state_spans to upvane_app;
create policy tenant_write on missed for insert to upvane_app
  with check (exists (select from monitors m where m.no = monitor_no));
grant insert on missed to upvane_app;

-- Monitors that are gone; the janitor removes what is left of them in small batches.
create table deleted_monitors (
  monitor_no bigint primary key,
  deleted_at timestamptz not null default now()
);
grant insert on deleted_monitors to upvane_app;
grant select, insert, delete on deleted_monitors to upvane_engine;

-- What jobs said when they called their heartbeat address; the last word of a failed job is in here.
create table heartbeat_calls (
  monitor_no bigint not null,
  at timestamptz not null,
  signal text not null check (signal in ('SUCCESS', 'START', 'FAIL', 'LOG')),
  rid text,
  body text
) partition by range (at);
create index heartbeat_calls_of on heartbeat_calls (monitor_no, at desc);
alter table heartbeat_calls enable row level security;
create policy tenant on heartbeat_calls for select to upvane_app
  using (exists (select from monitors m where m.no = monitor_no));
create policy engine on heartbeat_calls to upvane_engine using (true) with check (true);
grant select on heartbeat_calls to upvane_app;
grant select, insert, delete on heartbeat_calls to upvane_engine;
