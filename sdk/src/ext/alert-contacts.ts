// Made from openapi-ext.json by sdk/make-sdk.ts. Edit the contract and make it again, not this file.
import type { Deleted } from '../api/shared.ts'
import type { Call } from '../client/call.ts'
import type { List } from '../client/list.ts'
import type { CallOptions, WriteOptions } from '../client/options.ts'

export type AlertContact = {
  /** Id of the contact. */
  id: string
  /** Name for people. */
  name: string
  /** How it is reached. It does not change. */
  channel:
    | 'EMAIL'
    | 'SLACK'
    | 'DISCORD'
    | 'TEAMS'
    | 'TELEGRAM'
    | 'GOOGLE_CHAT'
    | 'MATTERMOST'
    | 'ROCKET_CHAT'
    | 'MATRIX'
    | 'SIGNAL'
    | 'PAGERDUTY'
    | 'JIRA_SERVICE_MANAGEMENT'
    | 'OPSGENIE'
    | 'INCIDENT_IO'
    | 'ALERTMANAGER'
    | 'GITHUB_ISSUES'
    | 'GITLAB_ISSUES'
    | 'NTFY'
    | 'GOTIFY'
    | 'PUSHOVER'
    | 'TWILIO'
    | 'APPRISE'
    | 'WEBHOOK'
    | 'CUSTOM_WEBHOOK'
    | 'WEB_PUSH'
  /** Settings of the channel. Secrets are masked. */
  settings: Record<string, string>
  /** Whether alerts are sent to it. */
  enabled: boolean
  /** The states it is alerted about. */
  states: ('DOWN' | 'DEGRADED' | 'RECOVERED' | 'EXPIRING' | 'DNS_CHANGED' | 'WEBHOOK_FAILING')[]
  /** Minutes an outage must last before the contact is alerted. */
  delayMinutes: number
  /** Minutes between reminders while an outage lasts. Null sends none. */
  reminderMinutes: number | null
  /** Daily hours in which alerts wait. Null for none. */
  quietHours: QuietHours | null
  /** How many monitors it is attached to. */
  monitors: number
  /** When a message last arrived. */
  lastSuccessAt: string | null
  /** When a message last failed to arrive. */
  lastFailureAt: string | null
  /** Since when every message has failed. */
  failingSince: string | null
  /** Failed for days: nothing is sent until it is changed or tested. */
  givenUp: boolean
  /** False while an email address waits for its owner to confirm it: nothing is sent to it. */
  confirmed: boolean
  /** When its owner confirmed the address. */
  confirmedAt: string | null
  /** When the last confirmation email was sent. Null if none was. */
  confirmationSentAt: string | null
  /** How many browsers it reaches. Null unless WEB_PUSH. */
  devices: number | null
  /** When it was created. */
  createdAt: string
  /** When it was last changed. */
  updatedAt: string
}

export type AlertContactDetail = {
  /** Id of the contact. */
  id: string
  /** Name for people. */
  name: string
  /** How it is reached. It does not change. */
  channel:
    | 'EMAIL'
    | 'SLACK'
    | 'DISCORD'
    | 'TEAMS'
    | 'TELEGRAM'
    | 'GOOGLE_CHAT'
    | 'MATTERMOST'
    | 'ROCKET_CHAT'
    | 'MATRIX'
    | 'SIGNAL'
    | 'PAGERDUTY'
    | 'JIRA_SERVICE_MANAGEMENT'
    | 'OPSGENIE'
    | 'INCIDENT_IO'
    | 'ALERTMANAGER'
    | 'GITHUB_ISSUES'
    | 'GITLAB_ISSUES'
    | 'NTFY'
    | 'GOTIFY'
    | 'PUSHOVER'
    | 'TWILIO'
    | 'APPRISE'
    | 'WEBHOOK'
    | 'CUSTOM_WEBHOOK'
    | 'WEB_PUSH'
  /** Settings of the channel. Secrets are masked. */
  settings: Record<string, string>
  /** Whether alerts are sent to it. */
  enabled: boolean
  /** The states it is alerted about. */
  states: ('DOWN' | 'DEGRADED' | 'RECOVERED' | 'EXPIRING' | 'DNS_CHANGED' | 'WEBHOOK_FAILING')[]
  /** Minutes an outage must last before the contact is alerted. */
  delayMinutes: number
  /** Minutes between reminders while an outage lasts. Null sends none. */
  reminderMinutes: number | null
  /** Daily hours in which alerts wait. Null for none. */
  quietHours: QuietHours | null
  /** How many monitors it is attached to. */
  monitors: number
  /** When a message last arrived. */
  lastSuccessAt: string | null
  /** When a message last failed to arrive. */
  lastFailureAt: string | null
  /** Since when every message has failed. */
  failingSince: string | null
  /** Failed for days: nothing is sent until it is changed or tested. */
  givenUp: boolean
  /** False while an email address waits for its owner to confirm it: nothing is sent to it. */
  confirmed: boolean
  /** When its owner confirmed the address. */
  confirmedAt: string | null
  /** When the last confirmation email was sent. Null if none was. */
  confirmationSentAt: string | null
  /** How many browsers it reaches. Null unless WEB_PUSH. */
  devices: number | null
  /** When it was created. */
  createdAt: string
  /** When it was last changed. */
  updatedAt: string
  /** The monitors it is attached to. */
  monitorIds: string[]
}

export type AlertContactInput = {
  /** Name for people. */
  name: string
  /** How it is reached. It does not change. */
  channel:
    | 'EMAIL'
    | 'SLACK'
    | 'DISCORD'
    | 'TEAMS'
    | 'TELEGRAM'
    | 'GOOGLE_CHAT'
    | 'MATTERMOST'
    | 'ROCKET_CHAT'
    | 'MATRIX'
    | 'SIGNAL'
    | 'PAGERDUTY'
    | 'JIRA_SERVICE_MANAGEMENT'
    | 'OPSGENIE'
    | 'INCIDENT_IO'
    | 'ALERTMANAGER'
    | 'GITHUB_ISSUES'
    | 'GITLAB_ISSUES'
    | 'NTFY'
    | 'GOTIFY'
    | 'PUSHOVER'
    | 'TWILIO'
    | 'APPRISE'
    | 'WEBHOOK'
    | 'CUSTOM_WEBHOOK'
  /** Settings of the channel, such as `address` of EMAIL or `url` of WEBHOOK. */
  settings: Record<string, string>
  /** Whether alerts are sent to it. Default: `true`. */
  enabled?: boolean
  /** The states it is alerted about. Default: `["DOWN", "DEGRADED", "RECOVERED", "EXPIRING", "DNS_CHANGED", "WEBHOOK_FAILING"]`. */
  states?: ('DOWN' | 'DEGRADED' | 'RECOVERED' | 'EXPIRING' | 'DNS_CHANGED' | 'WEBHOOK_FAILING')[]
  /** Minutes an outage must last before the contact is alerted. Default: `0`. */
  delayMinutes?: number
  /** Minutes between reminders while an outage lasts. Null sends none. */
  reminderMinutes?: number | null
  /** Daily hours in which alerts wait. Null for none. */
  quietHours?: QuietHoursInput | null
  /** Whether to attach it to every monitor that exists now. Default: `true`. */
  allMonitors?: boolean
}

export type AlertContactPatch = {
  /** Name for people. */
  name?: string
  /** Settings of the channel, such as `address` of EMAIL or `url` of WEBHOOK. */
  settings?: Record<string, string>
  /** Whether alerts are sent to it. */
  enabled?: boolean
  /** The states it is alerted about. */
  states?: ('DOWN' | 'DEGRADED' | 'RECOVERED' | 'EXPIRING' | 'DNS_CHANGED' | 'WEBHOOK_FAILING')[]
  /** Minutes an outage must last before the contact is alerted. */
  delayMinutes?: number
  /** Minutes between reminders while an outage lasts. Null sends none. */
  reminderMinutes?: number | null
  /** Daily hours in which alerts wait. Null for none. */
  quietHours?: QuietHoursInput | null
}

export type AlertContactWithSecret = {
  /** Id of the contact. */
  id: string
  /** Name for people. */
  name: string
  /** How it is reached. It does not change. */
  channel:
    | 'EMAIL'
    | 'SLACK'
    | 'DISCORD'
    | 'TEAMS'
    | 'TELEGRAM'
    | 'GOOGLE_CHAT'
    | 'MATTERMOST'
    | 'ROCKET_CHAT'
    | 'MATRIX'
    | 'SIGNAL'
    | 'PAGERDUTY'
    | 'JIRA_SERVICE_MANAGEMENT'
    | 'OPSGENIE'
    | 'INCIDENT_IO'
    | 'ALERTMANAGER'
    | 'GITHUB_ISSUES'
    | 'GITLAB_ISSUES'
    | 'NTFY'
    | 'GOTIFY'
    | 'PUSHOVER'
    | 'TWILIO'
    | 'APPRISE'
    | 'WEBHOOK'
    | 'CUSTOM_WEBHOOK'
    | 'WEB_PUSH'
  /** Settings of the channel. Secrets are masked. */
  settings: Record<string, string>
  /** Whether alerts are sent to it. */
  enabled: boolean
  /** The states it is alerted about. */
  states: ('DOWN' | 'DEGRADED' | 'RECOVERED' | 'EXPIRING' | 'DNS_CHANGED' | 'WEBHOOK_FAILING')[]
  /** Minutes an outage must last before the contact is alerted. */
  delayMinutes: number
  /** Minutes between reminders while an outage lasts. Null sends none. */
  reminderMinutes: number | null
  /** Daily hours in which alerts wait. Null for none. */
  quietHours: QuietHours | null
  /** How many monitors it is attached to. */
  monitors: number
  /** When a message last arrived. */
  lastSuccessAt: string | null
  /** When a message last failed to arrive. */
  lastFailureAt: string | null
  /** Since when every message has failed. */
  failingSince: string | null
  /** Failed for days: nothing is sent until it is changed or tested. */
  givenUp: boolean
  /** False while an email address waits for its owner to confirm it: nothing is sent to it. */
  confirmed: boolean
  /** When its owner confirmed the address. */
  confirmedAt: string | null
  /** When the last confirmation email was sent. Null if none was. */
  confirmationSentAt: string | null
  /** How many browsers it reaches. Null unless WEB_PUSH. */
  devices: number | null
  /** When it was created. */
  createdAt: string
  /** When it was last changed. */
  updatedAt: string
  /** The signing secret of a WEBHOOK contact, shown this once. Null for others. */
  secret: string | null
}

export type AlertTest = {
  /** Id of the delivery of the test message. */
  deliveryId: string
}

export type ContactAttachment = {
  /** Id of the contact. */
  contactId: string
  /** Id of the monitor. */
  monitorId: string
  /** Whether the contact is alerted about the monitor. */
  attached: boolean
}

export type QuietHours = {
  /** Start, as local time `hh:mm`. */
  from: string
  /** End, as local time `hh:mm`. Before `from`, it is on the next day. */
  to: string
  /** IANA time zone. */
  timezone: string
}

export type QuietHoursInput = {
  /** Start, as local time `hh:mm`. */
  from: string
  /** End, as local time `hh:mm`. Before `from`, it is on the next day. */
  to: string
  /** IANA time zone. */
  timezone: string
}

export type AlertContactsQuery = Record<string, never>

export type AlertContacts = {
  /** List alert contacts. */
  list(query?: AlertContactsQuery, options?: CallOptions): List<AlertContact>
  /** Create an alert contact. */
  create(input: AlertContactInput, options?: WriteOptions): Call<AlertContactWithSecret>
  /** Get an alert contact. */
  get(id: string, options?: CallOptions): Call<AlertContactDetail>
  /** Update an alert contact. */
  update(id: string, changes: AlertContactPatch, options?: WriteOptions): Call<AlertContact>
  /** Delete an alert contact. */
  delete(id: string, options?: WriteOptions): Call<Deleted>
  /** Test an alert contact. */
  test(id: string, options?: WriteOptions): Call<AlertTest>
  /** Attach an alert contact to a monitor. */
  attach(contactId: string, monitorId: string, options?: WriteOptions): Call<ContactAttachment>
  /** Detach an alert contact from a monitor. */
  detach(contactId: string, monitorId: string, options?: WriteOptions): Call<ContactAttachment>
}
