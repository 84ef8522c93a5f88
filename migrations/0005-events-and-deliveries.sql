-- The outbox. An event and its deliveries are inserted in the transaction of the change they tell of.
-- Ids are UUIDv7, so a range of ids is a range of time: the tables are partitioned by day of birth and
-- a look-up by id touches one partition. Attempts lie in the partition of their delivery.

create table events (
  id uuid primary key,
  org_id uuid not null,
  type text not null,
  occurred_at timestamptz not null,
  -- Serialised once; the same bytes are signed and sent with every attempt.
  body text not null
) partition by range (id);
create index events_by_age on events (org_id, id desc);
call protect_tenant_table('events');

create table webhook_endpoints (
  id uuid primary key,
  org_id uuid not null references organizations on delete cascade,
  url text not null check (char_length(url) <= 2048),
  description text check (char_length(description) <= 500),
  event_types text[] not null check (cardinality(event_types) between 1 and 22),
  enabled boolean not null default true,
  disabled_reason text check (disabled_reason in ('MANUAL', 'FAILING', 'GONE')),
  last_success_at timestamptz,
  last_failure_at timestamptz,
  -- How it has been doing since its last success; while next_probe_at is set the breaker is open.
  failures_in_a_row integer not null default 0,
  failing_since timestamptz,
  next_probe_at timestamptz,
  probe_seconds double precision,
  warned_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (org_id, id),
  check (enabled = (disabled_reason is null))
);
create index webhook_endpoints_by_age on webhook_endpoints (org_id, created_at desc, id desc);
call protect_tenant_table('webhook_endpoints');

create table webhook_secrets (
  id uuid primary key,
  org_id uuid not null,
  endpoint_id uuid not null,
  secret bytea not null,
  hint text not null check (char_length(hint) = 4),
  created_at timestamptz not null default now(),
  replaced_at timestamptz,
  foreign key (org_id, endpoint_id) references webhook_endpoints (org_id, id) on delete cascade
);
create unique index webhook_secrets_current on webhook_secrets (endpoint_id) where replaced_at is null;
create index webhook_secrets_of on webhook_secrets (endpoint_id, created_at desc);
call protect_tenant_table('webhook_secrets');

-- No reference to the endpoint: the log outlives it.
create table deliveries (
  id uuid primary key,
  org_id uuid not null,
  endpoint_id uuid not null,
  event_id uuid not null,
  event_type text not null,
  status text not null default 'PENDING' check (status in ('PENDING', 'SUCCEEDED', 'FAILED')),
  attempt_count smallint not null default 0,
  next_attempt_at timestamptz,
  last_attempt_at timestamptz,
  last_response_status smallint,
  last_error text,
  url text not null,
  -- Asked for by a person: one attempt, also while the endpoint is disabled (a test).
  manual boolean not null default false,
  created_at timestamptz not null,
  completed_at timestamptz,
  check ((status = 'PENDING') = (next_attempt_at is not null)),
  check ((status = 'PENDING') = (completed_at is null))
) partition by range (id);
create index deliveries_due on deliveries (endpoint_id, next_attempt_at) where status = 'PENDING';
create index deliveries_by_age on deliveries (org_id, created_at desc, id desc);
call protect_tenant_table('deliveries');

create table attempts (
  delivery_id uuid not null,
  number smallint not null,
  id uuid not null,
  org_id uuid not null,
  trigger text not null check (trigger in ('AUTOMATIC', 'MANUAL')),
  started_at timestamptz not null,
  duration_ms integer,
  outcome text check (outcome in ('SUCCEEDED', 'FAILED')),
  response_status smallint,
  response_body text,
  error_code text check (error_code in (
    'TIMEOUT', 'DNS_ERROR', 'CONNECTION_FAILED', 'TLS_ERROR', 'TARGET_NOT_ALLOWED', 'BAD_STATUS', 'WORKER_LOST')),
  error text,
  primary key (delivery_id, number)
) partition by range (delivery_id);
call protect_tenant_table('attempts');

-- The id of a row that nothing has to know beforehand.
create function new_uuid() returns uuid
  language sql volatile parallel safe as $$
    select (substr(at, 1, 8) || '-' || substr(at, 9, 4) || '-7' || substr(random, 16))::uuid
      from (select lpad(to_hex(floor(extract(epoch from clock_timestamp()) * 1000)::bigint), 12, '0') as at,
                   gen_random_uuid()::text as random) parts
  $$;
