-- Whether the responses of a probe prove that they are its own; null until it was heard by this version.
alter table probes add column proves_name boolean;
grant select (proves_name) on probes to upvane_app;

-- The networks that probes of a region announced, as fingerprints: a region name stands for one place.
create table region_networks (
  region text not null check (region ~ '^[A-Za-z0-9_-]{1,64}$'),
  network text not null check (network ~ '^[A-Za-z0-9_-]{1,64}$'),
  first_seen_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  primary key (region, network)
);
grant select, insert, update, delete on region_networks to upvane_engine;
