-- Passkeys: public keys of a person's devices and security keys. One proves both factors at once.
create table passkeys (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  -- Such as "Firefox on Linux".
  name text not null check (char_length(name) between 1 and 120),
  credential_id bytea not null unique check (octet_length(credential_id) between 1 and 1023),
  -- In COSE form. It reveals nothing and cannot sign.
  public_key bytea not null check (octet_length(public_key) <= 2048),
  -- How often it has signed, as it says itself. Always 0 for passkeys that are synchronized between devices.
  signatures bigint not null check (signatures between 0 and 4294967295),
  created_at timestamptz not null default now(),
  last_used_at timestamptz
) with (fillfactor = 70);
create index passkeys_of on passkeys (user_id, created_at);

-- Challenges are signed, not stored; one that was answered is remembered until it expires, so that it is answered once.
create table answered_challenges (
  hash bytea primary key check (octet_length(hash) = 32),
  user_id uuid not null references users on delete cascade,
  expires_at timestamptz not null
);
create index answered_challenges_of on answered_challenges (user_id, expires_at);

-- Beside the account, so that locking the account also locks whether a password alone opens a session.
alter table users
  add column passkey_count smallint not null default 0,
  -- Not valid: no row has any yet, so none needs to be read under a lock.
  add constraint users_passkey_count_check check (passkey_count between 0 and 10) not valid;
grant select (passkey_count) on users to upvane_app;

do $$
declare own regclass;
begin
  foreach own in array array['passkeys', 'answered_challenges']::regclass[] loop
    execute format('alter table %s enable row level security', own);
    execute format('create policy people on %s to upvane_people using (true) with check (true)', own);
    execute format('grant select, insert, update, delete on %s to upvane_people', own);
  end loop;
end $$;
