-- What is watched. The wide row holds settings and changes rarely; the narrow state row changes with
-- every check, so it has room for HOT updates and nothing in it that a check does not need.

create table monitors (
  no bigint generated always as identity primary key,
  id uuid not null,
  org_id uuid not null references organizations on delete cascade,
  name text not null check (char_length(name) between 1 and 120),
  type text not null
    check (type in ('HTTP', 'KEYWORD', 'PING', 'PORT', 'CRON', 'DNS', 'SSL', 'DOMAIN')),
  url text check (char_length(url) <= 2048),
  host text check (char_length(host) <= 255),
  port integer check (port between 1 and 65535),
  method text not null check (method in ('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE')),
  expected_status smallint[] not null check (cardinality(expected_status) between 1 and 100),
  request_headers bytea,
  request_body bytea,
  follow_redirects boolean not null,
  verify_ssl boolean not null,
  keyword text check (char_length(keyword) <= 500),
  keyword_match text not null check (keyword_match in ('EXISTS', 'NOT_EXISTS')),
  dns_record_type text not null check (dns_record_type in ('A', 'AAAA', 'CNAME', 'MX', 'TXT', 'NS')),
  dns_expected text check (char_length(dns_expected) <= 2000),
  dns_alert_on_change boolean not null,
  ssl_expiry_threshold_days smallint not null check (ssl_expiry_threshold_days between 1 and 365),
  interval_seconds integer not null check (interval_seconds between 30 and 86400),
  timeout_seconds smallint not null check (timeout_seconds between 1 and 60),
  expected_period_seconds integer check (expected_period_seconds between 60 and 2592000),
  grace_seconds integer not null check (grace_seconds between 0 and 86400),
  degraded_threshold_ms integer check (degraded_threshold_ms between 1 and 60000),
  degraded_threshold_mode text not null check (degraded_threshold_mode in ('LAST', 'P95')),
  degraded_samples smallint not null check (degraded_samples between 1 and 100),
  heartbeat_hash bytea check (octet_length(heartbeat_hash) = 32),
  heartbeat_token bytea,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (org_id, id),
  unique (org_id, no),
  -- What each type cannot do without; the API says the same with words.
  check (type not in ('HTTP', 'KEYWORD', 'DNS', 'SSL', 'DOMAIN') or coalesce(url, '') <> ''),
  check (type not in ('PING', 'PORT') or coalesce(host, '') <> ''),
  check (type <> 'KEYWORD' or coalesce(keyword, '') <> ''),
  check (type <> 'PORT' or port is not null),
  check (type <> 'CRON' or heartbeat_hash is not null),
  check ((heartbeat_hash is null) = (heartbeat_token is null))
);
create index monitors_by_age on monitors (org_id, created_at desc, id desc);
create unique index monitors_by_heartbeat on monitors (heartbeat_hash) where heartbeat_hash is not null;
call protect_tenant_table('monitors');

create table monitor_states (
  monitor_no bigint primary key,
  org_id uuid not null,
  shard smallint not null check (shard between 0 and 255),
  state text not null check (state in ('PENDING', 'UP', 'DEGRADED', 'DOWN', 'PAUSED')),
  -- Bumped by pause, resume and every change of what is checked: a result of an older epoch drives nothing.
  epoch integer not null default 0,
  -- The slot that is due next; null while paused, and for a CRON monitor that missed its deadline.
  next_due_at timestamptz,
  last_slot timestamptz,
  last_checked_at timestamptz,
  last_status_changed_at timestamptz,
  last_response_ms integer,
  cert_expires_at timestamptz,
  samples integer[] not null default '{}',
  dns_baseline jsonb,
  -- The expiry date of a certificate or domain that was told about.
  expiry_told_for timestamptz,
  -- CRON only: where the period's clock started, the last ping, the runs that are under way.
  heartbeat jsonb,
  foreign key (org_id, monitor_no) references monitors (org_id, no) on delete cascade,
  check (state <> 'PAUSED' or next_due_at is null)
) with (fillfactor = 50);
create index monitor_states_due on monitor_states (shard, next_due_at) where next_due_at is not null;
call protect_tenant_table('monitor_states');

-- Each scheduler holds one lease with a fencing token; shards point at the scheduler that runs them.
create sequence fencing_tokens;
create table schedulers (
  id uuid primary key,
  name text not null,
  region text not null,
  token bigint not null unique default nextval('fencing_tokens'),
  expires_at timestamptz not null
);
create table shards (
  no smallint primary key check (no between 0 and 255),
  scheduler_id uuid references schedulers on delete set null
) with (fillfactor = 50);
insert into shards (no) select generate_series(0, 255);
grant select, insert, update, delete on schedulers to upvane_engine;
grant usage on sequence fencing_tokens to upvane_engine;
grant select, update on shards to upvane_engine;
grant select on schedulers, shards to upvane_app;
