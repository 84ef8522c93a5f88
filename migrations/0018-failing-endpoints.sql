-- People are told when a webhook endpoint fails for a day and when it is disabled: that is a trouble like the others, about
-- an endpoint and not a monitor, and contacts choose whether they want to hear of it. So far nobody could; the
-- promise is that they are told, so everybody begins with it.

alter table alert_contacts drop constraint alert_contacts_states_check;
alter table alert_contacts
  alter column states set default '{DOWN,DEGRADED,RECOVERED,EXPIRING,DNS_CHANGED,WEBHOOK_FAILING}',
  add constraint alert_contacts_states_check
    check (states <@ '{DOWN,DEGRADED,RECOVERED,EXPIRING,DNS_CHANGED,WEBHOOK_FAILING}');
update alert_contacts set states = states || '{WEBHOOK_FAILING}'::text[];

alter table alert_troubles drop constraint alert_troubles_kind_check;
alter table alert_troubles
  alter column monitor_id drop not null,
  add column endpoint_id uuid,
  add constraint alert_troubles_kind_check
    check (kind in ('DOWN', 'DEGRADED', 'EXPIRING', 'DNS_CHANGED', 'WEBHOOK_FAILING')),
  add check (num_nonnulls(monitor_id, endpoint_id) = 1),
  add check ((kind = 'WEBHOOK_FAILING') = (endpoint_id is not null));
