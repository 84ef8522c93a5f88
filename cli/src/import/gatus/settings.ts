// What Gatus assumes if its configuration says nothing.
import type { SettingRules } from '../common/settings.ts'

const NO_PLACE = 'Upvane has no such setting.'
const SAME_CHECK = 'Upvane confirms a failure within the same check.'
const OWN_TEXT = 'Upvane writes its own messages.'

export const ENDPOINT_RULES: SettingRules = {
  // Of endpoints within a suite.
  own: new Set(['store', 'always-run']),
  shown: new Set(['extra-labels', 'method', 'ui', 'maintenance-windows']),
  whys: {
    ui: 'It has no place in the file.',
    'extra-labels': 'It has no place in the file.',
    'maintenance-windows': 'It has no place in the file. Plan a window in Upvane.',
  },
}

export const CLIENT_RULES: SettingRules = {
  defaults: { network: ['ip'] },
  shown: new Set(['dns-resolver', 'network', 'insecure', 'ignore-redirect', 'tunnel']),
  whys: {
    'dns-resolver': NO_PLACE,
    'proxy-url': NO_PLACE,
    network: NO_PLACE,
    tunnel: NO_PLACE,
    'store-cookies': NO_PLACE,
  },
}

export const ALERT_RULES: SettingRules = {
  defaults: { enabled: [true, false], 'send-on-resolved': [true] },
  shown: new Set(['minimum-reminder-interval']),
  whys: {
    'failure-threshold': SAME_CHECK,
    'success-threshold': 'One good check ends an incident in Upvane.',
    description: OWN_TEXT,
    'minimum-reminder-interval': 'Set reminderMinutes of the contact.',
    'send-on-resolved': 'Choose the states of the contact.',
    'provider-override': NO_PLACE,
  },
}

export const EXTERNAL_RULES: SettingRules = {
  // Of the old address, which jobs no longer use.
  own: new Set(['token']),
  whys: { 'maintenance-windows': 'Plan a window in Upvane.' },
}

export const PROVIDER_RULES: SettingRules = {
  own: new Set(['default-alert']),
  defaults: { 'api-url': ['https://api.telegram.org'] },
  shown: new Set(['priority', 'title', 'channel', 'topic-id', 'from', 'host', 'port']),
  whys: {
    overrides: 'Upvane has no such setting.',
    priority: 'Upvane chooses it by what has happened.',
    'resolved-priority': 'Upvane chooses it by what has happened.',
    title: OWN_TEXT,
    'message-content': OWN_TEXT,
    from: 'Upvane sends it by the settings of its operator.',
    host: 'Upvane sends email by the mail server of its operator.',
    port: 'Upvane sends email by the mail server of its operator.',
    username: 'Upvane sends email by the mail server of its operator.',
    password: 'Upvane sends email by the mail server of its operator.',
  },
}
