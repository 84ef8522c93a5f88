-- Sources: configuration files that manage resources of an organization. `revision` grows with every change.
create table code_sources (
  org_id uuid not null references organizations on delete cascade,
  name text not null check (char_length(name) between 1 and 100),
  revision bigint not null check (revision >= 0),
  updated_at timestamptz not null,
  primary key (org_id, name)
);
call protect_tenant_table('code_sources');

-- Which resource an entry of a source represents. Null if it is still to be created. A resource that was deleted
-- elsewhere keeps its binding, so that the file's next plan can say so.
create table code_bindings (
  org_id uuid not null,
  source text not null,
  address text not null check (char_length(address) between 3 and 200),
  prefix text check (prefix in ('mon', 'act', 'tag', 'sp', 'mw', 'whe')),
  resource_id uuid,
  generation bigint not null check (generation >= 0),
  -- Of secrets that cannot be read back. Encrypted.
  digest bytea,
  primary key (org_id, source, address),
  foreign key (org_id, source) references code_sources (org_id, name) on delete cascade,
  check ((prefix is null) = (resource_id is null))
);
-- A resource belongs to one source.
create unique index code_bindings_of_resource on code_bindings (org_id, resource_id) where resource_id is not null;
call protect_tenant_table('code_bindings');
