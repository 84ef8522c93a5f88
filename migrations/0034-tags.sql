-- Tags: names that an organization gives to groups of its monitors.

create table tags (
  id uuid primary key,
  org_id uuid not null references organizations on delete cascade,
  name text not null check (char_length(name) between 1 and 40),
  -- The name as it is compared: two tags may not differ only in case.
  key text not null check (char_length(key) between 1 and 120),
  created_at timestamptz not null default now(),
  unique (org_id, id),
  unique (org_id, key)
);
call protect_tenant_table('tags');

create table monitor_tags (
  org_id uuid not null,
  tag_id uuid not null,
  monitor_id uuid not null,
  primary key (org_id, tag_id, monitor_id),
  foreign key (org_id, tag_id) references tags (org_id, id) on delete cascade,
  foreign key (org_id, monitor_id) references monitors (org_id, id) on delete cascade
);
create index monitor_tags_of_monitor on monitor_tags (org_id, monitor_id);
call protect_tenant_table('monitor_tags');
