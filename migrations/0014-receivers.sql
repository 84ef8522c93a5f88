-- One engine, several kinds of receiver. A receiver is a lane of the queue: it has an organization, a channel and a
-- record of how it has been doing. Webhook endpoints are receivers with settings of their own, so their table
-- becomes a child of this one: counting, locking and settling are one statement for all kinds. Receivers that
-- need no more than the record (the readers of a status page, by e-mail) are rows of this table itself.

create table receivers (
  id uuid primary key,
  org_id uuid not null references organizations on delete cascade,
  channel text not null check (channel in ('EMAIL')) no inherit,
  enabled boolean not null default true,
  disabled_reason text,
  last_success_at timestamptz,
  last_failure_at timestamptz,
  failures_in_a_row integer not null default 0,
  failing_since timestamptz,
  next_probe_at timestamptz,
  probe_seconds double precision,
  warned_at timestamptz,
  updated_at timestamptz not null default now()
) with (fillfactor = 50);
create index receivers_of on receivers (org_id);
call protect_tenant_table('receivers');

alter table webhook_endpoints
  add column channel text not null default 'WEBHOOK' check (channel = 'WEBHOOK'),
  inherit receivers;

-- A delivery of another channel than WEBHOOK carries what is sent, encrypted, as it names people; it may stand for no
-- event. Adding columns with a constant default rewrites nothing.
alter table deliveries
  add column channel text not null default 'WEBHOOK' check (channel in ('WEBHOOK', 'EMAIL')),
  add column message bytea,
  alter column event_id drop not null,
  alter column event_type drop not null,
  alter column url drop not null,
  add check (case channel when 'WEBHOOK'
             then event_id is not null and event_type is not null and url is not null and message is null
             else message is not null end);

-- The log that an organization reads is that of its webhooks, however many mails lie between.
drop index deliveries_by_age;
create index deliveries_by_age on deliveries (org_id, created_at desc, id desc) where channel = 'WEBHOOK';
