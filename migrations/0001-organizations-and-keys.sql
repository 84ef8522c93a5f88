-- Who may ask for what: the three roles, organizations with their plan and subscription, API keys.
-- The service logs in as a NOINHERIT member of upvane_app and upvane_engine and takes one of them per
-- pool; the role that runs this file owns everything and is used for migrations only.

do $$
declare wanted text;
begin
  foreach wanted in array array['upvane_app', 'upvane_engine'] loop
    if not exists (select from pg_roles where rolname = wanted) then
      execute format('create role %I nologin', wanted);
    end if;
  end loop;
end $$;

-- The organization a transaction works for. Policies read it inside a sub-select, so that it is
-- evaluated once per statement and the index on org_id can be used.
create function current_org() returns uuid
  language sql stable parallel safe
  return nullif(current_setting('app.org', true), '')::uuid;

-- Every tenant table gets the same two policies: the API sees its organization, the engine sees all.
create procedure protect_tenant_table(tenant_table regclass, org_column text default 'org_id')
language plpgsql as $$
begin
  execute format('alter table %s enable row level security', tenant_table);
  execute format(
    'create policy tenant on %s to upvane_app using (%I = (select current_org())) with check (%I = (select current_org()))',
    tenant_table, org_column, org_column);
  execute format('create policy engine on %s to upvane_engine using (true) with check (true)', tenant_table);
  execute format('grant select, insert, update, delete on %s to upvane_app, upvane_engine', tenant_table);
end $$;

-- Limits are data; null means no limit.
create table plans (
  name text primary key,
  monitors integer,
  fastest_interval_seconds integer not null,
  status_pages integer,
  webhook_endpoints integer,
  open_windows integer,
  history_days integer
);
insert into plans values
  ('FREE',       20, 300,    1,    2,    5,   30),
  ('STARTER',    50,  60,    3,    5,   50,   90),
  ('PRO',       200,  30,   10,   20,  200,  365),
  ('BUSINESS', 1000,  30,   50,  100, 1000,  730),
  ('UNLIMITED', null, 30, null, null, null, null);
grant select on plans to upvane_app, upvane_engine;

create table organizations (
  id uuid primary key,
  name text not null check (char_length(name) between 1 and 120),
  plan text not null references plans,
  limit_overrides jsonb not null default '{}' check (jsonb_typeof(limit_overrides) = 'object'),
  private_targets boolean not null,
  home_region text,
  created_at timestamptz not null default now(),
  deleted_at timestamptz
);
call protect_tenant_table('organizations', 'id');

create table subscriptions (
  org_id uuid primary key references organizations on delete cascade,
  status text not null check (status in ('TRIALING', 'ACTIVE', 'PAST_DUE', 'CANCELED', 'NONE')),
  past_due_since timestamptz,
  check ((status = 'PAST_DUE') = (past_due_since is not null))
);
call protect_tenant_table('subscriptions');

-- Locked first by everything that counts against a plan, so that parallel creates cannot pass a limit.
create table organization_usage (
  org_id uuid primary key references organizations on delete cascade,
  monitors integer not null default 0 check (monitors >= 0)
) with (fillfactor = 50);
call protect_tenant_table('organization_usage');

-- The organization's own encryption key, wrapped by the master key named in kid.
create table organization_keys (
  org_id uuid primary key references organizations on delete cascade,
  kid text not null,
  wrapped bytea not null,
  updated_at timestamptz not null default now()
);
call protect_tenant_table('organization_keys');

create table api_keys (
  id uuid primary key,
  org_id uuid not null references organizations on delete cascade,
  name text not null check (char_length(name) between 1 and 120),
  access text not null check (access in ('READ_ONLY', 'FULL')),
  hash bytea not null unique check (octet_length(hash) = 32),
  last4 text not null check (char_length(last4) = 4),
  expires_at timestamptz,
  disabled_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  created_at timestamptz not null default now(),
  unique (org_id, id)
);
create index api_keys_by_age on api_keys (org_id, created_at desc, id desc);
call protect_tenant_table('api_keys');

-- A row lost in a crash is a new window: nothing here is worth a WAL record.
create unlogged table api_key_windows (
  key_id uuid primary key references api_keys on delete cascade,
  started_at timestamptz not null,
  used integer not null
) with (fillfactor = 50);

-- Finds keys and counts requests against their windows, in one statement that commits by itself. Takes the
-- hashes of all requests that came in meanwhile, a key several times if it asked several times, and
-- returns one row a key: `used` counts up to the last of its `requests`. Runs as the owner because the
-- organization is not known before it; returns no row for any key that may not pass. The window's clock
-- is read after its row is locked, so windows never run backwards, and rows are locked in order of their
-- id, so two calls never wait for each other in a circle.
create function authenticate_keys(key_hashes bytea[], quota integer, window_seconds integer)
returns table (
  hash bytea, key_id uuid, org_id uuid, key_name text, access text, subscription_active boolean,
  requests integer, used integer, reset_seconds double precision
)
language plpgsql volatile security definer set search_path = pg_catalog, public as $$
#variable_conflict use_column
begin
  return query
  with asked as (
    select h.hash, count(*)::integer as requests from unnest(key_hashes) h (hash) group by h.hash
  ), k as materialized (
    select a.hash, a.id, a.org_id, a.name, a.access, asked.requests,
           coalesce(s.status in ('TRIALING', 'ACTIVE')
             or (s.status = 'PAST_DUE' and s.past_due_since > now() - interval '14 days'), false) as active
      from asked
      join api_keys a on a.hash = asked.hash
      join organizations o on o.id = a.org_id and o.deleted_at is null
      left join subscriptions s on s.org_id = a.org_id
     where a.disabled_at is null
       and a.revoked_at is null
       and (a.expires_at is null or a.expires_at > clock_timestamp())
     order by a.id
  ), w as (
    insert into api_key_windows as cur (key_id, started_at, used)
    select k.id, clock_timestamp(), k.requests from k
    on conflict on constraint api_key_windows_pkey do update
      set (started_at, used) = (
        select case when t.fresh then t.at else cur.started_at end,
               case when t.fresh then 0 else least(cur.used, quota) end + excluded.used
          from (select clock_timestamp() as at) c,
       lateral (select c.at, c.at >= cur.started_at + make_interval(secs => window_seconds) as fresh) t)
    returning cur.key_id, cur.used, cur.started_at,
              date_part('epoch', cur.started_at - clock_timestamp()) + window_seconds as left_seconds
  ), touched as (
    update api_keys a set last_used_at = w.started_at
      from k join w on w.key_id = k.id
     where a.id = k.id and w.used = k.requests
  )
  select k.hash, k.id, k.org_id, k.name, k.access, k.active, k.requests, w.used, w.left_seconds
    from k join w on w.key_id = k.id;
end $$;
revoke execute on function authenticate_keys from public;
grant execute on function authenticate_keys to upvane_app;
