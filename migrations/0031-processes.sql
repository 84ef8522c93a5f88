-- Which processes run, and what each reports about itself. Every process with a database updates its own row every few
-- seconds. Settings are fingerprints, never values. Room in the page lets updates succeed while the disk is full.
create table processes (
  id uuid primary key,
  name text not null,
  roles text[] not null,
  version text not null,
  region text not null,
  settings jsonb not null,
  troubles jsonb not null,
  -- How well it can notify the operator: one of the best does.
  reach smallint not null,
  started_at timestamptz not null default now(),
  expires_at timestamptz not null
) with (fillfactor = 20);
create index processes_by_end on processes (expires_at);
grant select, insert, update, delete on processes to upvane_engine;

-- Troubles the operator was notified of and that are not over, so that another process does not repeat them.
create table reported_troubles (
  code text not null,
  subject text not null,
  message text not null,
  since timestamptz not null,
  primary key (code, subject)
);
grant select, insert, update, delete on reported_troubles to upvane_engine;
