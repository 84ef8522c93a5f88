-- A link in an alert acknowledges its incident in the name of the contact that it was sent to.
alter table incidents drop constraint incidents_acknowledged_by_type_check;
alter table incidents
  -- Not valid: existing rows obey the narrower rule, and need not be read under a lock.
  add constraint incidents_acknowledged_by_type_check
    check (acknowledged_by_type in ('API_KEY', 'USER', 'ALERT_CONTACT')) not valid;
alter table audit_log drop constraint audit_log_actor_type_check;
alter table audit_log
  add constraint audit_log_actor_type_check
    check (actor_type in ('API_KEY', 'USER', 'OPERATOR', 'ALERT_CONTACT')) not valid;
