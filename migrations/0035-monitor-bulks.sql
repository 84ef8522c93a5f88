-- One change to many monitors, made in rounds: which monitors are left, and how many were changed.
create table monitor_bulks (
  id uuid primary key,
  org_id uuid not null references organizations on delete cascade,
  change jsonb not null check (jsonb_typeof(change) = 'object'),
  total integer not null check (total between 0 and 10000),
  -- Those that are left, in the order of their numbers.
  left_ids uuid[] not null,
  changed integer not null default 0,
  refused integer not null default 0,
  created_at timestamptz not null default now(),
  check (changed + refused + cardinality(left_ids) = total)
);
create index monitor_bulks_by_age on monitor_bulks (org_id, created_at desc, id desc);
call protect_tenant_table('monitor_bulks');
