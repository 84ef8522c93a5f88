-- People, how they prove who they are, and which organizations they belong to. A person is not a tenant's row:
-- these tables are reached as upvane_people, which sees no monitor, key or delivery of anybody. What belongs to
-- an organization (members, invitations) the API reaches as a tenant besides.

do $$
begin
  if not exists (select from pg_roles where rolname = 'upvane_people') then
    create role upvane_people nologin;
  end if;
end $$;

create table users (
  id uuid primary key,
  -- Lower case; an account has one address, and an address one account.
  email text not null unique check (char_length(email) between 3 and 254),
  name text not null check (char_length(name) between 1 and 120),
  -- Null: signs in through an identity provider alone.
  password_hash text,
  -- Encrypted; it counts once it is confirmed by a first code.
  totp_seed bytea,
  totp_confirmed_at timestamptz,
  totp_last_step bigint,
  disabled_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (totp_confirmed_at is null or totp_seed is not null)
);

create table recovery_codes (
  user_id uuid not null references users on delete cascade,
  hash bytea not null check (octet_length(hash) = 32),
  used_at timestamptz,
  primary key (user_id, hash)
);

-- The cookie holds a random token; only its hash is here.
create table sessions (
  id uuid primary key,
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  user_id uuid not null references users on delete cascade,
  -- False between the password and the second factor: such a session may do nothing but give it.
  complete boolean not null,
  address text not null,
  agent text not null check (char_length(agent) <= 300),
  created_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  expires_at timestamptz not null
) with (fillfactor = 70);
create index sessions_of on sessions (user_id, seen_at desc);
create index sessions_by_end on sessions (expires_at);

-- Links in mails. One use, and an end.
create table user_tokens (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  purpose text not null check (purpose in ('RESET_PASSWORD')),
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index user_tokens_of on user_tokens (user_id, purpose, created_at desc);
create index user_tokens_by_end on user_tokens (expires_at);

-- Who somebody is at an identity provider. The subject never changes there; the address may, and proves nothing.
create table identities (
  issuer text not null,
  subject text not null check (char_length(subject) between 1 and 255),
  user_id uuid not null references users on delete cascade,
  created_at timestamptz not null default now(),
  primary key (issuer, subject),
  unique (user_id, issuer)
);

-- The link that is printed at the first start; it makes the first account, once.
create table setup (
  only_one boolean primary key default true check (only_one),
  token_hash bytea check (octet_length(token_hash) = 32),
  completed_at timestamptz
);

-- A count lost in a crash is a new window.
create unlogged table sign_in_windows (
  -- 'account:', 'address:' or another kind, and what it is about, hashed.
  subject text primary key,
  started_at timestamptz not null,
  failures integer not null
) with (fillfactor = 50);

-- The key under which people's secrets are encrypted, wrapped like those of organizations.
create table service_keys (
  name text primary key,
  kid text not null,
  wrapped bytea not null
);

create table members (
  org_id uuid not null references organizations on delete cascade,
  user_id uuid not null references users on delete cascade,
  role text not null check (role in ('READ_ONLY', 'MEMBER', 'ADMIN', 'OWNER')),
  created_at timestamptz not null default now(),
  primary key (org_id, user_id)
);
create index members_of_user on members (user_id);
call protect_tenant_table('members');

create table invitations (
  id uuid primary key,
  org_id uuid not null references organizations on delete cascade,
  email text not null check (char_length(email) between 3 and 254),
  role text not null check (role in ('READ_ONLY', 'MEMBER', 'ADMIN', 'OWNER')),
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  invited_by text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  accepted_at timestamptz,
  unique (org_id, id)
);
create unique index invitations_open on invitations (org_id, email) where accepted_at is null;
create index invitations_to on invitations (email) where accepted_at is null;
call protect_tenant_table('invitations');

do $$
declare own regclass;
begin
  foreach own in array array['users', 'recovery_codes', 'sessions', 'user_tokens', 'identities', 'setup',
                             'sign_in_windows', 'service_keys', 'members', 'invitations']::regclass[] loop
    execute format('alter table %s enable row level security', own);
    execute format('create policy people on %s to upvane_people using (true) with check (true)', own);
    execute format('grant select, insert, update, delete on %s to upvane_people', own);
  end loop;
end $$;

-- A tenant sees who its members are; the janitor removes what has ended.
create policy tenant_read on users for select to upvane_app
  using (exists (select from members m where m.user_id = id and m.org_id = (select current_org())));
grant select (id, email, name, totp_confirmed_at, disabled_at, created_at) on users to upvane_app;
create policy engine on sessions to upvane_engine using (true);
create policy engine on user_tokens to upvane_engine using (true);
create policy engine on sign_in_windows to upvane_engine using (true);
grant select, delete on sessions, user_tokens, sign_in_windows to upvane_engine;
create policy engine on service_keys to upvane_engine using (true) with check (true);
grant select, insert, update on service_keys to upvane_engine;

-- A person sees the names of organizations and what they may use; nothing that is in them.
grant select (id, name, plan, private_targets, limit_overrides, deleted_at, created_at)
  on organizations to upvane_people;
create policy people_read on organizations for select to upvane_people using (true);
grant select on subscriptions to upvane_people;
create policy people_read on subscriptions for select to upvane_people using (true);
-- Whoever makes an account may make its organization, in the same transaction.
do $$
declare made regclass;
begin
  foreach made in array array['organizations', 'subscriptions', 'organization_usage', 'organization_keys']::regclass[] loop
    execute format('create policy people_make on %s for insert to upvane_people with check (true)', made);
    execute format('grant insert on %s to upvane_people', made);
  end loop;
end $$;

-- Who joins an organization stands in its log, whichever way they came.
create policy people_append on audit_log for insert to upvane_people with check (true);
grant insert on audit_log to upvane_people;

-- The rule in one place: is an organization's subscription good for anything but reading and deleting?
create function is_subscription_active(status text, past_due_since timestamptz) returns boolean
  language sql stable parallel safe
  return coalesce(status in ('TRIALING', 'ACTIVE')
    or (status = 'PAST_DUE' and past_due_since > now() - interval '14 days'), false);

-- Who made a key, by name; null for those the operator made by command.
alter table api_keys add column created_by text;
