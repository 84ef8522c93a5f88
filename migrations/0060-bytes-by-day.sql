-- What an organization has stored today of that which goes by age: events with their deliveries, bodies of pings, and
-- responses of receivers. Without a foreign key, like events: recording pings must not fail because an organization is going.
create table day_usage (
  org_id uuid not null,
  day date not null,
  kind text not null check (kind in ('EVENTS', 'NEWS', 'PINGS', 'RESPONSES')),
  bytes bigint not null,
  primary key (org_id, day, kind)
) with (fillfactor = 50);
call protect_tenant_table('day_usage');
create index day_usage_by_day on day_usage (day);
