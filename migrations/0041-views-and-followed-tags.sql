-- Views: filters of the monitor list that an organization has given names to.
create table monitor_views (
  id uuid primary key,
  org_id uuid not null references organizations on delete cascade,
  name text not null check (char_length(name) between 1 and 60),
  -- The name as it is compared: two views may not differ only in case.
  key text not null check (char_length(key) between 1 and 180),
  filter jsonb not null check (jsonb_typeof(filter) = 'object'),
  created_at timestamptz not null default now(),
  unique (org_id, key)
);
call protect_tenant_table('monitor_views');

-- A section may follow a tag: it shows the monitors that have it. Without the tag it keeps what it shows.
alter table status_page_sections add column tag_id uuid;
alter table status_page_sections
  add foreign key (org_id, tag_id) references tags (org_id, id) on delete set null (tag_id);
create index status_page_sections_by_tag on status_page_sections (org_id, tag_id) where tag_id is not null;
