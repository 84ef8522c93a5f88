-- When the network of a region was in doubt: from the first failed attempt until failures counted (ends_at), and until a
-- target at a public address was reached again (passed_at). At most one of a region is open.
create table region_doubts (
  id uuid primary key default new_uuid(),
  region smallint not null references regions (no) on delete cascade,
  since timestamptz not null,
  raised_at timestamptz not null,
  ends_at timestamptz not null,
  passed_at timestamptz
);
create unique index region_doubts_open on region_doubts (region) where passed_at is null;
create index region_doubts_by_end on region_doubts (passed_at) where passed_at is not null;
grant select on region_doubts to upvane_app;
grant select, insert, update, delete on region_doubts to upvane_engine;

-- The doubt under which an outage began: those of one doubt are one message to a contact.
alter table alert_troubles add column doubt_id uuid;

-- Where pings are received. While that region is in doubt, nobody's silence counts.
alter table ping_receipt add column region smallint;
grant select on ping_receipt to upvane_app;
