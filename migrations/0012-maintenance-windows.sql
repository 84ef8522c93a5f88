-- Planned windows. What a window covers is said by rows of maintenance_spans, one a monitor and occurrence,
-- with the exact instants of its edges; they are written a minute ahead, so that no check that lands at the
-- edge is judged before they are there. What has begun is never rewritten but for its end.

create table maintenance_windows (
  id uuid primary key,
  org_id uuid not null references organizations on delete cascade,
  name text not null check (char_length(name) between 1 and 120),
  description text check (char_length(description) <= 2000),
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  timezone text not null,
  -- {frequency, interval, daysOfWeek, dayOfMonth, endsAt}
  recurrence jsonb,
  all_monitors boolean not null,
  -- Pages were named; when the last of them is gone it is shown on none, not on all.
  on_named_pages boolean not null,
  show_on_status_pages boolean not null,
  notify_subscribers boolean not null,
  -- The occurrence that is under way or comes next; null when there is none left.
  occurrence_starts_at timestamptz,
  occurrence_ends_at timestamptz,
  -- Whether its spans are written, and whether its start was told.
  covered boolean not null default false,
  started boolean not null default false,
  -- Nothing before this counts: when it was made, or last moved while it was not active.
  counts_from timestamptz not null default now(),
  -- When somebody has to look at it again.
  next_edge_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (org_id, id),
  check (ends_at > starts_at),
  check ((occurrence_starts_at is null) = (occurrence_ends_at is null)),
  check ((occurrence_starts_at is null) = (next_edge_at is null))
);
create index maintenance_windows_by_age on maintenance_windows (org_id, created_at desc, id desc);
create index maintenance_windows_edges on maintenance_windows (next_edge_at) where next_edge_at is not null;
create index maintenance_windows_of_all on maintenance_windows (org_id) where all_monitors;
call protect_tenant_table('maintenance_windows');

create table maintenance_window_monitors (
  org_id uuid not null,
  window_id uuid not null,
  monitor_id uuid not null,
  position smallint not null,
  primary key (org_id, window_id, monitor_id),
  foreign key (org_id, window_id) references maintenance_windows (org_id, id) on delete cascade,
  foreign key (org_id, monitor_id) references monitors (org_id, id) on delete cascade
);
create index maintenance_window_monitors_of on maintenance_window_monitors (org_id, monitor_id);
call protect_tenant_table('maintenance_window_monitors');

create table maintenance_window_pages (
  org_id uuid not null,
  window_id uuid not null,
  page_id uuid not null,
  position smallint not null,
  primary key (org_id, window_id, page_id),
  foreign key (org_id, window_id) references maintenance_windows (org_id, id) on delete cascade,
  foreign key (org_id, page_id) references status_pages (org_id, id) on delete cascade
);
create index maintenance_window_pages_of on maintenance_window_pages (org_id, page_id);
call protect_tenant_table('maintenance_window_pages');

-- A change by a person ends a span, or begins one at once.
create index maintenance_spans_of_window on maintenance_spans (window_id, ended_at);
create policy tenant_write on maintenance_spans to upvane_app
  using (exists (select from monitors m where m.no = monitor_no))
  with check (exists (select from monitors m where m.no = monitor_no));
grant insert, update, delete on maintenance_spans to upvane_app;
