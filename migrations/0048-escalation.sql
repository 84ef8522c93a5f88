-- Escalation: contacts who are alerted while nobody has acknowledged an outage. A policy belongs to a monitor or to a tag.
create table escalation_policies (
  id uuid primary key,
  org_id uuid not null references organizations on delete cascade,
  monitor_id uuid,
  tag_id uuid,
  updated_at timestamptz not null,
  unique (org_id, id),
  unique (org_id, monitor_id),
  unique (org_id, tag_id),
  check ((monitor_id is null) <> (tag_id is null)),
  foreign key (org_id, monitor_id) references monitors (org_id, id) on delete cascade,
  foreign key (org_id, tag_id) references tags (org_id, id) on delete cascade
);
call protect_tenant_table('escalation_policies');

create table escalation_steps (
  org_id uuid not null,
  policy_id uuid not null,
  number integer not null check (number between 1 and 10),
  -- Since the outage was noticed.
  after_minutes integer not null check (after_minutes between 1 and 1440),
  primary key (org_id, policy_id, number),
  foreign key (org_id, policy_id) references escalation_policies (org_id, id) on delete cascade
);
call protect_tenant_table('escalation_steps');

create table escalation_contacts (
  org_id uuid not null,
  policy_id uuid not null,
  step integer not null,
  contact_id uuid not null,
  -- A contact is in one step of a policy.
  primary key (org_id, policy_id, contact_id),
  foreign key (org_id, policy_id, step) references escalation_steps (org_id, policy_id, number) on delete cascade,
  foreign key (org_id, contact_id) references alert_contacts (org_id, id) on delete cascade
);
create index escalation_contacts_of_contact on escalation_contacts (org_id, contact_id);
create index escalation_contacts_of_step on escalation_contacts (org_id, policy_id, step);
call protect_tenant_table('escalation_contacts');

-- The contacts that follow if nobody acknowledges an outage of a monitor: by its own policy or, without one, by those of
-- its tags. A contact that several of them name counts once, in its earliest step.
create function escalation_of(org uuid, monitor uuid)
  returns table (contact_id uuid, step integer, after_minutes integer)
  language sql stable as $$
    select distinct on (c.contact_id) c.contact_id, s.number, s.after_minutes
      from escalation_policies p
      join escalation_steps s on s.org_id = p.org_id and s.policy_id = p.id
      join escalation_contacts c on c.org_id = s.org_id and c.policy_id = s.policy_id and c.step = s.number
     where p.org_id = org
       and (p.monitor_id = monitor
            or (p.tag_id in (select a.tag_id from monitor_tags a where a.org_id = org and a.monitor_id = monitor)
                and not exists (select from escalation_policies o where o.org_id = org and o.monitor_id = monitor)))
     order by c.contact_id, s.after_minutes, s.number
$$;

-- The contacts of its escalation when the outage began: later ones are not concerned.
alter table alert_troubles add column escalation_ids uuid[] not null default '{}';
