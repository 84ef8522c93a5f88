-- Browser notifications: a contact that belongs to a person, and the devices it reaches. It ends with the membership.
alter table alert_contacts drop constraint alert_contacts_channel_check;
alter table alert_contacts
  add column owner_id uuid,
  -- Not valid: existing rows obey the narrower rule, and need not be read under a lock.
  add constraint alert_contacts_channel_check
    check (channel in ('EMAIL', 'SLACK', 'DISCORD', 'TEAMS', 'TELEGRAM', 'GOOGLE_CHAT', 'PAGERDUTY', 'OPSGENIE',
                       'NTFY', 'PUSHOVER', 'WEBHOOK', 'WEB_PUSH')) not valid,
  add constraint alert_contacts_owner_check check ((channel = 'WEB_PUSH') = (owner_id is not null)) not valid,
  add constraint alert_contacts_owner_fkey foreign key (org_id, owner_id)
    references members (org_id, user_id) on delete cascade not valid;
-- One for each member.
create unique index alert_contacts_of_owner on alert_contacts (org_id, owner_id) where owner_id is not null;

-- A browser that agreed to receive notifications.
create table push_devices (
  id uuid primary key,
  org_id uuid not null,
  contact_id uuid not null,
  -- Such as "Firefox on Linux".
  name text not null check (char_length(name) between 1 and 120),
  endpoint_hash bytea not null check (octet_length(endpoint_hash) = 32),
  -- Encrypted: the address at the push service, the browser's public key and its authentication secret.
  subscription bytea not null,
  created_at timestamptz not null default now(),
  last_success_at timestamptz,
  last_failure_at timestamptz,
  last_error text check (char_length(last_error) <= 300),
  -- What it accepted last: a retry for another device does not repeat it here.
  last_delivery_id uuid,
  unique (org_id, endpoint_hash),
  foreign key (org_id, contact_id) references alert_contacts (org_id, id) on delete cascade
) with (fillfactor = 70);
create index push_devices_of on push_devices (org_id, contact_id);
call protect_tenant_table('push_devices');

-- The engine sends nothing to a person whose account is disabled.
create policy engine_read on users for select to upvane_engine using (true);
grant select (id, disabled_at) on users to upvane_engine;
