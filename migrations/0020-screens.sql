-- What the dashboard shows beside what the API promises: where the time of each check went and why it failed, the
-- expiry of a registration, notes on incidents. New columns are null or constant: nothing is rewritten.

-- Four bytes, as store/result-detail.ts packs them: they lie where every row had padding, so results grow by nothing.
alter table results add column detail integer;

alter table monitor_states add column domain_expires_at timestamptz;

create table incident_notes (
  id uuid primary key,
  org_id uuid not null,
  incident_id uuid not null,
  at timestamptz not null,
  -- No reference: what somebody wrote stays when they go.
  user_id uuid not null,
  user_name text not null,
  text text not null check (char_length(text) between 1 and 1000),
  foreign key (org_id, incident_id) references incidents (org_id, id) on delete cascade
);
create index incident_notes_of on incident_notes (incident_id, at, id);
call protect_tenant_table('incident_notes');

-- What was sent about an incident, and everything that was sent, newest first.
create index alert_messages_by_birth on alert_messages (org_id, delivery_id desc);
