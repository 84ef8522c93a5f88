-- Ping tokens of another tool, which jobs continue to use: /hb/alias/{id}/{token}. The random id of the organization is part
-- of the URL, because old tokens may be short and two organizations may have the same. It is encrypted.
create table ping_alias_ids (
  org_id uuid primary key references organizations on delete cascade,
  id bytea not null
);
call protect_tenant_table('ping_alias_ids');

-- Only the hash of id and token is stored.
create table ping_aliases (
  hash bytea primary key check (octet_length(hash) = 32),
  org_id uuid not null,
  monitor_id uuid not null,
  created_at timestamptz not null,
  foreign key (org_id, monitor_id) references monitors (org_id, id) on delete cascade
);
create index ping_aliases_of_monitor on ping_aliases (org_id, monitor_id);
call protect_tenant_table('ping_aliases');
