-- Regions that somebody chose for a monitor, a tag or the whole organization. A monitor's own setting comes first, then
-- that of its tags, then the organization's.
create table region_settings (
  id uuid primary key,
  org_id uuid not null references organizations on delete cascade,
  -- Both null: of the organization.
  monitor_id uuid,
  tag_id uuid,
  -- Names, in the order in which they are asked. A region that was removed stays named, and is passed over.
  regions text[] not null check (cardinality(regions) between 1 and 10),
  mode text not null check (mode in ('FIRST')),
  updated_at timestamptz not null,
  unique nulls not distinct (org_id, monitor_id, tag_id),
  check (monitor_id is null or tag_id is null),
  foreign key (org_id, monitor_id) references monitors (org_id, id) on delete cascade,
  foreign key (org_id, tag_id) references tags (org_id, id) on delete cascade
);
call protect_tenant_table('region_settings');
create index region_settings_of_tag on region_settings (org_id, tag_id) where tag_id is not null;

alter table plans add column regions_per_monitor integer;
update plans set regions_per_monitor = case name
  when 'FREE' then 1 when 'STARTER' then 3 when 'PRO' then 5 when 'BUSINESS' then 10 end;
