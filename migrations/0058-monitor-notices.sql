-- What the owners of an organization are emailed about its monitors, besides alerts: that a monitor gets no result, and
-- that it fails from its home region alone. The scheduler writes a row when it is about to be due, which is rare.
create table monitor_notices (
  org_id uuid not null,
  monitor_no bigint not null,
  kind text not null check (kind in ('NOT_CHECKED', 'FAILS_FROM_HOME')),
  -- The last result, or the first check that failed from home alone.
  since timestamptz not null,
  -- Why a check has no result.
  reason text check (char_length(reason) <= 64),
  region text check (char_length(region) <= 64),
  -- From where it passes.
  other_region text check (char_length(other_region) <= 64),
  -- Checks that failed from home and passed elsewhere.
  checks smallint not null default 0,
  -- Null while it is too early to say.
  notify_at timestamptz,
  notified_at timestamptz,
  -- The monitor is checked again. The row is deleted with the next email.
  ended_at timestamptz,
  primary key (monitor_no, kind),
  foreign key (org_id, monitor_no) references monitors (org_id, no) on delete cascade
);
call protect_tenant_table('monitor_notices');
create index monitor_notices_by_org on monitor_notices (org_id, kind);
create index monitor_notices_due on monitor_notices (notify_at, org_id, kind)
  where notified_at is null and ended_at is null and notify_at is not null;
create index monitor_notices_ended on monitor_notices (org_id, kind) where ended_at is not null;

-- What the owners were emailed last. One email names all monitors of the organization.
create table owner_notices (
  org_id uuid not null references organizations on delete cascade,
  kind text not null check (kind in ('NOT_CHECKED', 'FAILS_FROM_HOME')),
  thread uuid not null,
  sent_at timestamptz not null,
  -- From the first email until all of them are over.
  is_open boolean not null,
  -- One of the monitors was checked again, rather than paused or deleted.
  has_recovered boolean not null default false,
  primary key (org_id, kind)
);
call protect_tenant_table('owner_notices');
create index owner_notices_open on owner_notices (org_id, kind) where is_open;
