-- Probes of this installation: what each said last, and for those that joined by a token the key they sign in with.
-- They are shared by all organizations, so no table here has an organization.
create table probes (
  region text not null check (region ~ '^[A-Za-z0-9_-]{1,64}$'),
  name text not null check (name ~ '^[A-Za-z0-9_-]{1,64}$'),
  version text check (char_length(version) <= 64),
  -- The longest a job waited for its start, as the probe said last.
  late_ms integer,
  last_seen_at timestamptz,
  -- Null for probes that sign in by other means.
  public_key text unique,
  joined_at timestamptz,
  revoked_at timestamptz,
  primary key (region, name)
);
-- Joined probes are revoked by name.
create unique index probes_joined on probes (name) where public_key is not null;
-- Organizations see these columns and no others.
grant select (region, name, version, late_ms, last_seen_at, revoked_at) on probes to upvane_app;
grant select, insert, update, delete on probes to upvane_engine;

-- Each lets one probe join, once.
create table probe_tokens (
  id uuid primary key default new_uuid(),
  region text not null check (region ~ '^[a-z0-9-]{1,32}$'),
  probe_name text check (probe_name ~ '^[A-Za-z0-9_-]{1,64}$'),
  -- SHA-256 of the secret.
  hash bytea not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  -- The key that used it: the same probe may ask again when the answer was lost.
  used_by text
);
create index probe_tokens_by_expiry on probe_tokens (expires_at);
grant select, insert, update, delete on probe_tokens to upvane_engine;

-- One row: the keys that sign who may use NATS, sealed.
create table bus_authority (
  only_one boolean primary key default true check (only_one),
  sealed bytea not null,
  created_at timestamptz not null default now()
);
grant select, insert on bus_authority to upvane_engine;
