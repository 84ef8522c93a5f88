-- Visitors of a status page who asked to be told by e-mail. Addresses are encrypted under the organization's
-- key. One address stands on a page once, which a hash sees to; a hash that anybody can make would give the
-- addresses away, so each page has a secret of its own to make it with.

create table page_mail_secrets (
  page_id uuid primary key,
  org_id uuid not null,
  secret bytea not null,
  foreign key (org_id, page_id) references status_pages (org_id, id) on delete cascade
);
call protect_tenant_table('page_mail_secrets');

create table page_subscribers (
  id uuid primary key,
  org_id uuid not null,
  page_id uuid not null,
  email bytea not null,
  email_hash bytea not null check (octet_length(email_hash) = 32),
  -- Null: the whole page.
  component_ids uuid[] check (cardinality(component_ids) between 1 and 200),
  -- The token in the links of its mails, encrypted because every mail needs it, and its hash to be found by.
  token bytea not null,
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  -- Null until the link of the first mail was followed; such rows end two days after they were asked for last.
  confirmed_at timestamptz,
  -- Mails that were sent because somebody typed the address into the form.
  mails_asked_for integer not null default 1,
  asked_at timestamptz not null,
  created_at timestamptz not null default now(),
  unique (org_id, id),
  unique (page_id, email_hash),
  foreign key (org_id, page_id) references status_pages (org_id, id) on delete cascade
);
create index page_subscribers_of on page_subscribers (page_id, id) where confirmed_at is not null;
create index page_subscribers_waiting on page_subscribers (page_id) where confirmed_at is null;
create index page_subscribers_forgotten on page_subscribers (asked_at) where confirmed_at is null;
call protect_tenant_table('page_subscribers');

-- A link in a mail names nobody but its reader, and works whatever became of the page's address: ids only.
create function find_page_subscriber(wanted_hash bytea)
returns table (org_id uuid, page_id uuid, subscriber_id uuid)
language sql stable security definer set search_path = pg_catalog, public as $$
  select org_id, page_id, id from page_subscribers where token_hash = wanted_hash
$$;
revoke execute on function find_page_subscriber from public;
grant execute on function find_page_subscriber to upvane_app;

-- What subscribers of a page are to be told: written in the transaction of the change, sent out to its
-- subscribers in batches afterwards.
create table subscriber_notices (
  id uuid primary key,
  org_id uuid not null,
  page_id uuid not null,
  -- The status incident's update or the window's edge it tells of, whole, as it was then.
  notice jsonb not null,
  -- Components it is about; empty: everybody is told.
  component_ids uuid[] not null,
  -- The last subscriber that was looked at; null: none yet.
  told_until uuid,
  -- How many mails were queued.
  told integer not null default 0,
  created_at timestamptz not null default now(),
  completed_at timestamptz,
  unique (org_id, id),
  foreign key (org_id, page_id) references status_pages (org_id, id) on delete cascade
);
create index subscriber_notices_open on subscriber_notices (told, id) where completed_at is null;
create index subscriber_notices_open_of on subscriber_notices (page_id, id) where completed_at is null;
create index subscriber_notices_by_age on subscriber_notices (created_at);
call protect_tenant_table('subscriber_notices');
