-- What requests leave behind: stored answers for idempotent replays, and who changed what.

create table idempotency_records (
  org_id uuid not null references organizations on delete cascade,
  key text not null check (char_length(key) between 1 and 200),
  fingerprint bytea not null check (octet_length(fingerprint) = 32),
  -- A finished record has an answer. An unfinished one is a reservation that others may take over later.
  status smallint check (status between 200 and 299),
  body bytea,
  location text,
  token uuid,
  expires_at timestamptz not null,
  primary key (org_id, key),
  check ((status is null) = (body is null)),
  check ((status is null) = (token is not null))
);
create index idempotency_records_by_expiry on idempotency_records (expires_at);
call protect_tenant_table('idempotency_records');

create table audit_log (
  id uuid primary key,
  org_id uuid not null references organizations on delete cascade,
  at timestamptz not null,
  actor_type text not null check (actor_type in ('API_KEY', 'USER', 'OPERATOR')),
  actor_id uuid,
  actor_name text not null,
  action text not null,
  resource_id text,
  request_id text,
  detail jsonb not null default '{}'
);
create index audit_log_by_age on audit_log (org_id, at desc, id desc);
alter table audit_log enable row level security;
create policy tenant_read on audit_log for select to upvane_app using (org_id = (select current_org()));
create policy tenant_append on audit_log for insert to upvane_app with check (org_id = (select current_org()));
create policy engine on audit_log to upvane_engine using (true) with check (true);
-- Nobody but the owner can change what was written.
grant select, insert on audit_log to upvane_app, upvane_engine;
