-- Status pages, what stands on them, and the incidents people publish there. Slugs and custom domains are
-- unique in the whole service, which unique indexes see although row level security hides the other row.

create table status_pages (
  id uuid primary key,
  org_id uuid not null references organizations on delete cascade,
  name text not null check (char_length(name) between 1 and 120),
  slug text not null unique check (char_length(slug) between 3 and 63),
  description text check (char_length(description) <= 2000),
  published boolean not null,
  -- Lower case. Served once its owner has shown that it is theirs.
  custom_domain text unique check (char_length(custom_domain) <= 253),
  custom_domain_status text not null default 'NONE'
    check (custom_domain_status in ('NONE', 'PENDING', 'ACTIVE', 'FAILED')),
  custom_domain_checked_at timestamptz,
  password_hash text,
  theme text not null check (theme in ('SYSTEM', 'LIGHT', 'DARK')),
  accent_color text check (accent_color ~ '^#[0-9a-fA-F]{6}$'),
  logo_url text check (char_length(logo_url) <= 2048),
  favicon_url text check (char_length(favicon_url) <= 2048),
  homepage_url text check (char_length(homepage_url) <= 2048),
  support_url text check (char_length(support_url) <= 2048),
  locale text not null,
  timezone text not null,
  history_days smallint not null check (history_days between 7 and 365),
  show_uptime boolean not null,
  show_response_time boolean not null,
  allow_indexing boolean not null,
  subscribers_enabled boolean not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (org_id, id),
  check ((custom_domain is null) = (custom_domain_status = 'NONE'))
);
create index status_pages_by_age on status_pages (org_id, created_at desc, id desc);
create index status_pages_domains_to_check on status_pages (custom_domain_checked_at nulls first)
  where custom_domain is not null;
call protect_tenant_table('status_pages');

create table status_page_sections (
  id uuid primary key,
  org_id uuid not null,
  page_id uuid not null,
  position smallint not null,
  name text check (char_length(name) <= 120),
  collapsed boolean not null,
  unique (org_id, id),
  foreign key (org_id, page_id) references status_pages (org_id, id) on delete cascade
);
create index status_page_sections_of on status_page_sections (page_id, position);
call protect_tenant_table('status_page_sections');

-- A component shows a monitor, and goes with it, or says what people set by hand.
create table status_page_components (
  id uuid primary key,
  org_id uuid not null,
  page_id uuid not null,
  section_id uuid not null,
  position smallint not null,
  -- Null: the monitor's own name.
  name text check (char_length(name) between 1 and 120),
  description text check (char_length(description) <= 500),
  monitor_id uuid,
  manual_state text check (manual_state in (
    'OPERATIONAL', 'DEGRADED', 'PARTIAL_OUTAGE', 'MAJOR_OUTAGE', 'MAINTENANCE', 'UNKNOWN')),
  unique (org_id, id),
  foreign key (org_id, page_id) references status_pages (org_id, id) on delete cascade,
  foreign key (org_id, section_id) references status_page_sections (org_id, id) on delete cascade,
  foreign key (org_id, monitor_id) references monitors (org_id, id) on delete cascade,
  check (name is not null or monitor_id is not null),
  check (monitor_id is null or manual_state is null)
);
create index status_page_components_of on status_page_components (page_id, section_id, position);
create index status_page_components_of_monitor on status_page_components (org_id, monitor_id)
  where monitor_id is not null;
call protect_tenant_table('status_page_components');

create table status_incidents (
  id uuid primary key,
  org_id uuid not null references organizations on delete cascade,
  title text not null check (char_length(title) between 1 and 200),
  status text not null check (status in ('INVESTIGATING', 'IDENTIFIED', 'MONITORING', 'RESOLVED')),
  impact text not null check (impact in ('NONE', 'MINOR', 'MAJOR', 'CRITICAL')),
  -- The detected incident it tells of, as long as that exists.
  incident_id uuid,
  started_at timestamptz not null,
  resolved_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (org_id, id),
  foreign key (org_id, incident_id) references incidents (org_id, id) on delete set null (incident_id),
  check (resolved_at >= started_at),
  check ((resolved_at is null) = (status <> 'RESOLVED'))
);
create index status_incidents_by_age on status_incidents (org_id, created_at desc, id desc);
create index status_incidents_of_incident on status_incidents (org_id, incident_id)
  where incident_id is not null;
call protect_tenant_table('status_incidents');

create table status_incident_pages (
  org_id uuid not null,
  status_incident_id uuid not null,
  page_id uuid not null,
  position smallint not null,
  primary key (org_id, status_incident_id, page_id),
  foreign key (org_id, status_incident_id) references status_incidents (org_id, id) on delete cascade,
  foreign key (org_id, page_id) references status_pages (org_id, id) on delete cascade
);
create index status_incident_pages_of_page on status_incident_pages (org_id, page_id);
call protect_tenant_table('status_incident_pages');

create table status_incident_components (
  org_id uuid not null,
  status_incident_id uuid not null,
  component_id uuid not null,
  position smallint not null,
  state text not null check (state in ('OPERATIONAL', 'DEGRADED', 'PARTIAL_OUTAGE', 'MAJOR_OUTAGE')),
  primary key (org_id, status_incident_id, component_id),
  foreign key (org_id, status_incident_id) references status_incidents (org_id, id) on delete cascade,
  foreign key (org_id, component_id) references status_page_components (org_id, id) on delete cascade
);
create index status_incident_components_of on status_incident_components (org_id, component_id);
call protect_tenant_table('status_incident_components');

create table status_incident_updates (
  id uuid primary key,
  org_id uuid not null,
  status_incident_id uuid not null,
  status text not null check (status in ('INVESTIGATING', 'IDENTIFIED', 'MONITORING', 'RESOLVED')),
  message text not null check (char_length(message) <= 10000),
  -- [{componentId (uuid), state}] as they were set with it.
  components jsonb not null,
  notified_subscribers boolean not null,
  created_at timestamptz not null,
  foreign key (org_id, status_incident_id) references status_incidents (org_id, id) on delete cascade
);
create index status_incident_updates_of on status_incident_updates (status_incident_id, created_at desc, id desc);
call protect_tenant_table('status_incident_updates');

-- Which of these slugs and custom domains are taken, by whomever. Slugs have no dot and domains have one, so
-- one list holds both. Row level security hides the pages of others; here nothing but the names asked for
-- is given away, and those are public addresses anyway.
create function find_taken_addresses(wanted text[], own_page uuid)
returns setof text
language sql stable security definer set search_path = pg_catalog, public as $$
  select slug from status_pages where slug = any (wanted) and id is distinct from own_page
  union all
  select custom_domain from status_pages where custom_domain = any (wanted) and id is distinct from own_page
$$;
revoke execute on function find_taken_addresses from public;
grant execute on function find_taken_addresses to upvane_app;

-- A visitor names a page before any organization is known: ids only, and only of pages that are public.
create function find_public_page(wanted_slug text, wanted_domain text)
returns table (org_id uuid, page_id uuid)
language sql stable security definer set search_path = pg_catalog, public as $$
  select org_id, id from status_pages
   where published and slug = wanted_slug
  union all
  select org_id, id from status_pages
   where published and custom_domain = wanted_domain and custom_domain_status = 'ACTIVE'
$$;
revoke execute on function find_public_page from public;
grant execute on function find_public_page to upvane_app;
