-- Alerts: who is told of what, when and how. Something that a contact may be told of (a trouble) is written with the
-- event that tells of it; what became of it is read from its incident or its monitor, so nothing has to be kept
-- in step. What a contact was told is written in the transaction that queues the message.

alter table alert_contacts
  add column enabled boolean not null default true,
  add column states text[] not null default '{DOWN,DEGRADED,RECOVERED,EXPIRING,DNS_CHANGED}'
    check (states <@ '{DOWN,DEGRADED,RECOVERED,EXPIRING,DNS_CHANGED}'),
  add column delay_minutes integer not null default 0 check (delay_minutes between 0 and 60),
  -- Null: never reminded.
  add column reminder_minutes integer check (reminder_minutes between 5 and 1440),
  -- Wall-clock times such as 22:00, in a zone; null: none.
  add column quiet_from text check (quiet_from ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
  add column quiet_to text check (quiet_to ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
  add column quiet_zone text,
  add column updated_at timestamptz not null default now(),
  add check (channel in ('EMAIL', 'SLACK', 'DISCORD', 'TEAMS', 'TELEGRAM', 'GOOGLE_CHAT', 'PAGERDUTY', 'OPSGENIE',
                         'NTFY', 'PUSHOVER', 'WEBHOOK')),
  add check ((quiet_from is null) = (quiet_to is null) and (quiet_from is null) = (quiet_zone is null)),
  add check (quiet_from <> quiet_to);

-- A contact is a lane of its own: by e-mail, or by a provider's HTTP interface.
alter table receivers drop constraint receivers_channel_check;
alter table receivers add constraint receivers_channel_check check (channel in ('EMAIL', 'ALERT')) no inherit;
-- Not valid: what is there obeys the narrower rule it replaces, and need not be read under a lock.
alter table deliveries drop constraint deliveries_channel_check;
alter table deliveries add constraint deliveries_channel_check
  check (channel in ('WEBHOOK', 'EMAIL', 'ALERT')) not valid;

-- The host that a monitor looks at, so that monitors of one host are told of together.
create function alert_host(url text, host text) returns text
  language sql immutable parallel safe
  return lower(coalesce(host, substring(url from '^[a-zA-Z]+://(?:[^/?#@]*@)?(\[[^\]]+\]|[^/:?#]+)')));

-- An outage (DOWN), a degradation, or something noticed once. Its monitor may be gone by the time it is told.
create table alert_troubles (
  id uuid primary key,
  org_id uuid not null references organizations on delete cascade,
  kind text not null check (kind in ('DOWN', 'DEGRADED', 'EXPIRING', 'DNS_CHANGED')),
  monitor_id uuid not null,
  incident_id uuid,
  host text,
  since timestamptz not null,
  noticed_at timestamptz not null default now(),
  -- What is said of it.
  about jsonb not null,
  -- Those attached to the monitor when it happened: whoever comes later is not concerned.
  contact_ids uuid[] not null,
  -- As the planner saw it.
  ended_at timestamptz,
  -- When something is to be done next, unless it ends before.
  look_at timestamptz not null default now(),
  done_at timestamptz,
  unique (org_id, id),
  check ((kind = 'DOWN') = (incident_id is not null))
) with (fillfactor = 70);
create index alert_troubles_open on alert_troubles (org_id, id) where done_at is null;
create index alert_troubles_by_end on alert_troubles (done_at) where done_at is not null;
call protect_tenant_table('alert_troubles');

create table alert_tellings (
  org_id uuid not null,
  trouble_id uuid not null,
  contact_id uuid not null,
  -- Messages about one thing: what was told together ends together.
  thread uuid not null,
  told_at timestamptz not null,
  reminded_at timestamptz,
  end_told_at timestamptz,
  primary key (trouble_id, contact_id),
  foreign key (org_id, trouble_id) references alert_troubles (org_id, id) on delete cascade,
  foreign key (org_id, contact_id) references alert_contacts (org_id, id) on delete cascade
);
create index alert_tellings_of_contact on alert_tellings (org_id, contact_id);
call protect_tenant_table('alert_tellings');

-- What was sent to a contact; how that went is in its delivery, until it is written into the timelines.
create table alert_messages (
  delivery_id uuid primary key,
  org_id uuid not null,
  contact_id uuid not null,
  kind text not null,
  thread uuid not null,
  title text not null,
  incident_ids uuid[] not null,
  created_at timestamptz not null default now(),
  settled_at timestamptz,
  foreign key (org_id, contact_id) references alert_contacts (org_id, id) on delete cascade
);
create index alert_messages_of on alert_messages (org_id, contact_id, delivery_id desc);
create index alert_messages_under_way on alert_messages (delivery_id) where settled_at is null;
create index alert_messages_by_age on alert_messages (created_at);
call protect_tenant_table('alert_messages');
