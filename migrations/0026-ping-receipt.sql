-- Until when pings could be received, and when they could not: our own downtime is not a job's silence. Each process
-- that receives pings updates the one row twice a second; the first one creates it.
create table ping_receipt (
  singleton boolean primary key default true check (singleton),
  until timestamptz not null
) with (fillfactor = 10);

create table ping_outages (
  id bigint generated always as identity primary key,
  started_at timestamptz not null,
  ended_at timestamptz not null check (ended_at > started_at)
);
create index ping_outages_by_end on ping_outages (ended_at);

grant select, insert, update on ping_receipt to upvane_engine;
grant select, insert, delete on ping_outages to upvane_engine;
