// What Better Stack answers without being asked.
import type { SettingRules } from '../common/settings.ts'

const OTHERWISE = 'Upvane decides otherwise: it alerts contacts.'
const NO_PLACE = 'Upvane has no such setting.'
const STATE = ['id', 'created_at', 'updated_at', 'last_checked_at', 'team_name', 'status']
const ALERTING = { email: OTHERWISE, critical_alert: OTHERWISE, team_wait: OTHERWISE }

export const MONITOR_RULES: SettingRules = {
  own: new Set(STATE),
  defaults: {
    follow_redirects: [true],
    http_method: ['get'],
    maintenance_timezone: ['UTC'],
    maintenance_days: [[], ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']],
    // Everyone is sent email, unless a policy says otherwise.
    email: [true],
    verify_ssl: [true],
    proxy_port: [0],
    ssl_expiration: [0, -1],
  },
  shown: new Set(['maintenance_timezone', 'monitor_group_id', 'expected_status_codes', 'port']),
  whys: ALERTING,
}

export const HEARTBEAT_RULES: SettingRules = {
  own: new Set([...STATE, 'sort_index', 'server_timezone']),
  defaults: {
    email: [true],
    maintenance_timezone: ['UTC'],
    maintenance_days: [[], ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']],
  },
  shown: new Set([
    'maintenance_from',
    'maintenance_to',
    'maintenance_timezone',
    'maintenance_days',
    'heartbeat_group_id',
    'policy_id',
  ]),
  whys: { ...ALERTING, call: OTHERWISE, sms: OTHERWISE, push: OTHERWISE, policy_id: OTHERWISE },
}

export const PAGE_RULES: SettingRules = {
  own: new Set(['id', 'created_at', 'updated_at', 'aggregate_state']),
  defaults: { layout: ['vertical'], design: ['v1', 'v2'] },
  shown: new Set(['design', 'layout']),
  whys: {
    announcement: NO_PLACE,
    custom_css: NO_PLACE,
    custom_javascript: NO_PLACE,
    google_analytics_id: NO_PLACE,
  },
}

export const RESOURCE_RULES: SettingRules = {
  own: new Set([
    'id',
    'availability',
    'fixed_position',
    // Of the entry, not of what it shows.
    'status',
    'status_history',
    'status_page_id',
    'status_page_section_id',
    'position',
  ]),
  defaults: { history: [true], widget_type: ['history'] },
  shown: new Set(['widget_type']),
}
