-- Outages that checks detected, what was seen, and what happened since.

create table incidents (
  id uuid primary key,
  org_id uuid not null,
  monitor_id uuid not null,
  started_at timestamptz not null,
  resolved_at timestamptz,
  cause text not null,
  cause_code text not null check (cause_code in (
    'TIMEOUT', 'DNS_ERROR', 'CONNECTION_REFUSED', 'CONNECTION_RESET', 'CONNECTION_FAILED', 'TLS_ERROR',
    'CERT_EXPIRED', 'CERT_NOT_YET_VALID', 'CERT_UNTRUSTED', 'CERT_NAME_MISMATCH', 'UNEXPECTED_STATUS',
    'TOO_MANY_REDIRECTS', 'KEYWORD_MISSING', 'KEYWORD_PRESENT', 'PING_NO_REPLY', 'DNS_NO_RECORDS',
    'DNS_MISMATCH', 'DOMAIN_EXPIRED', 'HEARTBEAT_MISSED', 'HEARTBEAT_FAILED', 'TARGET_NOT_ALLOWED',
    'INVALID_RESPONSE')),
  -- What the latest failed check said, and when the timeline last grew by one.
  last_cause_code text,
  last_line_at timestamptz,
  resolution text check (resolution in ('RECOVERED', 'MONITOR_PAUSED', 'MONITOR_CHANGED')),
  acknowledged_at timestamptz,
  acknowledged_by_type text check (acknowledged_by_type in ('API_KEY', 'USER')),
  acknowledged_by_id uuid,
  acknowledged_by_name text,
  acknowledge_note text check (char_length(acknowledge_note) <= 1000),
  unique (org_id, id),
  foreign key (org_id, monitor_id) references monitors (org_id, id) on delete cascade,
  check (resolved_at >= started_at),
  check ((resolved_at is null) = (resolution is null)),
  check ((acknowledged_at is null) = (acknowledged_by_type is null)),
  check ((acknowledged_at is null) = (acknowledged_by_id is null)),
  check ((acknowledged_at is null) = (acknowledged_by_name is null)),
  check (acknowledge_note is null or acknowledged_at is not null)
);
create unique index incidents_one_open on incidents (monitor_id) where resolved_at is null;
create index incidents_by_start on incidents (org_id, started_at desc, id desc);
create index incidents_of_monitor on incidents (org_id, monitor_id, started_at desc, id desc);
call protect_tenant_table('incidents');

-- The first, the latest and the resolving check, and each change of cause.
create table incident_evidence (
  id uuid primary key,
  org_id uuid not null,
  incident_id uuid not null,
  part text not null check (part in ('OPENED', 'CAUSE_CHANGED', 'LAST_FAILURE', 'RESOLVED')),
  checked_at timestamptz not null,
  evidence jsonb not null,
  foreign key (org_id, incident_id) references incidents (org_id, id) on delete cascade
);
create index incident_evidence_of on incident_evidence (incident_id, part);
create unique index incident_evidence_single on incident_evidence (incident_id, part)
  where part <> 'CAUSE_CHANGED';
call protect_tenant_table('incident_evidence');

create table incident_timeline (
  id uuid primary key,
  org_id uuid not null,
  incident_id uuid not null,
  type text not null check (type in (
    'OPENED', 'STILL_FAILING', 'CAUSE_CHANGED', 'ACKNOWLEDGED', 'ALERT_SENT', 'ALERT_FAILED', 'RESOLVED')),
  at timestamptz not null,
  message text not null,
  foreign key (org_id, incident_id) references incidents (org_id, id) on delete cascade
);
create index incident_timeline_of on incident_timeline (incident_id, at, id);
call protect_tenant_table('incident_timeline');

create table alert_contacts (
  id uuid primary key,
  org_id uuid not null references organizations on delete cascade,
  name text not null check (char_length(name) between 1 and 120),
  channel text not null,
  settings bytea not null,
  created_at timestamptz not null default now(),
  unique (org_id, id)
);
call protect_tenant_table('alert_contacts');

create table monitor_alert_contacts (
  org_id uuid not null,
  monitor_id uuid not null,
  contact_id uuid not null,
  primary key (org_id, monitor_id, contact_id),
  foreign key (org_id, monitor_id) references monitors (org_id, id) on delete cascade,
  foreign key (org_id, contact_id) references alert_contacts (org_id, id) on delete cascade
);
create index monitor_alert_contacts_of_contact on monitor_alert_contacts (org_id, contact_id);
call protect_tenant_table('monitor_alert_contacts');
