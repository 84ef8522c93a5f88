-- Status pages that show a ledger: when outages were detected and when they were published.
create table page_ledgers (
  org_id uuid not null,
  page_id uuid not null,
  since timestamptz not null,
  primary key (org_id, page_id),
  foreign key (org_id, page_id) references status_pages (org_id, id) on delete cascade
);
call protect_tenant_table('page_ledgers');

-- What was removed from such a page during an outage. Rows are only added, and go with the monitor or the page.
create table page_ledger_overrides (
  id uuid primary key,
  org_id uuid not null,
  page_id uuid not null,
  monitor_id uuid not null,
  component_name text not null,
  kind text not null check (kind in ('COMPONENT_REMOVED', 'MONITOR_DETACHED')),
  at timestamptz not null,
  foreign key (org_id, page_id) references status_pages (org_id, id) on delete cascade,
  foreign key (org_id, monitor_id) references monitors (org_id, id) on delete cascade
);
create index page_ledger_overrides_of_page on page_ledger_overrides (org_id, page_id, at desc);
create index page_ledger_overrides_of_monitor on page_ledger_overrides (org_id, monitor_id);
call protect_tenant_table('page_ledger_overrides');
