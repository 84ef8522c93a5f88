-- More ways to alert: chats, pagers, push services, issue trackers and a webhook with a template.
alter table alert_contacts drop constraint alert_contacts_channel_check;
alter table alert_contacts
  -- Not valid: existing rows obey the narrower rule, and need not be read under a lock.
  add constraint alert_contacts_channel_check
    check (channel in ('EMAIL', 'SLACK', 'DISCORD', 'TEAMS', 'TELEGRAM', 'GOOGLE_CHAT', 'MATTERMOST', 'ROCKET_CHAT',
                       'MATRIX', 'SIGNAL', 'PAGERDUTY', 'JIRA_SERVICE_MANAGEMENT', 'OPSGENIE', 'INCIDENT_IO',
                       'ALERTMANAGER', 'GITHUB_ISSUES', 'GITLAB_ISSUES', 'NTFY', 'GOTIFY', 'PUSHOVER', 'TWILIO',
                       'APPRISE', 'WEBHOOK', 'CUSTOM_WEBHOOK', 'WEB_PUSH')) not valid;

-- What the provider calls the message, such as the number of an issue: later messages of its thread refer to it.
alter table alert_messages add column reference text;
alter table alert_messages
  add constraint alert_messages_reference_check check (char_length(reference) <= 300) not valid;
