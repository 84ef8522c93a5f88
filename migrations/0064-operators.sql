-- Operators of this installation, marked by `upvane operator add`. The role that handles people reads the mark and cannot
-- give it.
create table operators (
  user_id uuid primary key references users on delete cascade,
  added_at timestamptz not null default now()
);
alter table operators enable row level security;
create policy people_read on operators for select to upvane_people using (true);
grant select on operators to upvane_people;
create policy engine on operators to upvane_engine using (true) with check (true);
grant select, insert, delete on operators to upvane_engine;

-- The last sign of life. Null: the process is of the version before.
alter table processes add column seen_at timestamptz;

-- How large the database was, a row a day, for its growth.
create table database_sizes (
  day date primary key,
  bytes bigint not null
);
grant select, insert, update, delete on database_sizes to upvane_engine;
