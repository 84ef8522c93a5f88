-- What the dashboard adds to a published incident and the public API does not show: when visitors can expect the next
-- update, and what was learned afterwards.
alter table status_incidents add column next_update_by timestamptz;

create table status_incident_post_mortems (
  org_id uuid not null,
  status_incident_id uuid not null,
  message text not null check (char_length(message) between 1 and 10000),
  notified_subscribers boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (org_id, status_incident_id),
  foreign key (org_id, status_incident_id) references status_incidents (org_id, id) on delete cascade
);
call protect_tenant_table('status_incident_post_mortems');

-- Subscribers other than by email: `email` and `email_hash` hold their URL, and `secret` what signs webhooks.
-- Not valid: existing rows are emails, and need not be read under a lock.
alter table page_subscribers
  add column kind text not null default 'EMAIL',
  add column secret bytea,
  add constraint page_subscribers_kind_check check (kind in ('EMAIL', 'SLACK', 'WEBHOOK')) not valid,
  add constraint page_subscribers_secret_check check ((kind = 'WEBHOOK') = (secret is not null)) not valid;
create index page_subscribers_hooks on page_subscribers (page_id, id) where kind <> 'EMAIL';

-- Each of them is a receiver of its own, with the id of the subscriber.
alter table receivers drop constraint receivers_channel_check;
alter table receivers add constraint receivers_channel_check
  check (channel in ('EMAIL', 'ALERT', 'SUBSCRIBER')) no inherit not valid;
alter table deliveries drop constraint deliveries_channel_check;
alter table deliveries add constraint deliveries_channel_check
  check (channel in ('WEBHOOK', 'EMAIL', 'ALERT', 'SUBSCRIBER')) not valid;
