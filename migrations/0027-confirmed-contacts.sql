-- An address gets alerts only after its owner agreed. Contacts that exist already keep working.
alter table alert_contacts
  add column confirmed_at timestamptz,
  -- Of the link in the confirmation email; null when none is open.
  add column confirm_token_hash bytea check (octet_length(confirm_token_hash) = 32),
  add column confirm_expires_at timestamptz,
  add column confirm_sent_at timestamptz;
update alert_contacts set confirmed_at = now() where channel = 'EMAIL';

-- How many emails that nobody asked for an address was sent, over all organizations. A count lost in a crash is a
-- new window.
create unlogged table mail_windows (
  -- The kind of email and the address, hashed.
  subject text primary key,
  hour_at timestamptz not null,
  in_hour integer not null,
  day_at timestamptz not null,
  in_day integer not null
) with (fillfactor = 50);
alter table mail_windows enable row level security;
create policy engine on mail_windows to upvane_engine using (true);
grant select, delete on mail_windows to upvane_engine;

-- Counts one email, unless a limit is reached: then nothing is written, and nothing returned. A tenant can count, but
-- neither read nor reset what others counted.
create function count_mail(what text, hourly integer, daily integer) returns boolean
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  insert into mail_windows as w (subject, hour_at, in_hour, day_at, in_day)
  values (what, now(), 1, now(), 1)
  on conflict (subject) do update
    set hour_at = case when w.hour_at <= now() - interval '1 hour' then now() else w.hour_at end,
        in_hour = case when w.hour_at <= now() - interval '1 hour' then 1 else w.in_hour + 1 end,
        day_at = case when w.day_at <= now() - interval '1 day' then now() else w.day_at end,
        in_day = case when w.day_at <= now() - interval '1 day' then 1 else w.in_day + 1 end
    where (w.hour_at <= now() - interval '1 hour' or w.in_hour < hourly)
      and (w.day_at <= now() - interval '1 day' or w.in_day < daily)
  returning true
$$;
revoke execute on function count_mail from public;
grant execute on function count_mail to upvane_app, upvane_people;
