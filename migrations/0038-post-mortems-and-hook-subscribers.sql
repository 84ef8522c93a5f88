-- What the dashboard adds to a published incident and the public API does not show: when visitors can expect the next
-- update, and what was learned afterwards.
alter table status_incidents add column next_update_by timestamptz;

create table status_incident_post_mortems (
  org_id uuid not null,
  status_incident_id uuid not null,
  message text not null check (char_length(message) between 1 and 10000),
  notified_subscribers boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (org_id, status_incident_id),
  foreign key (org_id, status_incident_id) references status_incidents (org_id, id) on delete cascade
);
call protect_tenant_table('status_incident_post_mortems');
