// Rows in which every setting of the tool's real schema is set, none of them to what the tool assumes by itself. Whatever
// contains "planted" is a secret.
import { KUMA_CONTACTS, KUMA_MONITOR, KUMA_PAGE, KUMA_WINDOW } from './every-kuma-setting.ts'
import { GATUS_CLIENT, GATUS_ENDPOINT, GATUS_PROVIDERS } from './every-gatus-setting.ts'
import {
  CHECK,
  COMPONENT,
  ROBOT_CONFIG,
  ROBOT_MONITOR,
  ROBOT_PAGE,
  ROBOT_WINDOW,
  STACK_HEARTBEAT,
  STACK_MONITOR,
  STACK_PAGE,
  STACK_RESOURCE,
  STATUSPAGE,
} from './every-hosted-setting.ts'

type Row = Readonly<Record<string, unknown>>
export type EverySetting = {
  what: string
  tool: string
  row: Row
  toFile(row: Row): string
  /** Ids, dates and measurements, and what this kind of item does not have. */
  own: readonly string[]
}

const json = JSON.stringify
const kuma = (more: object): string => json({ monitorList: [], notificationList: [], ...more })

/** Settings that Uptime Kuma itself does not look at, unless a monitor is of their type. */
const OF_HTTP = ['expiry_notification']
const OF_OTHERS = ['push_token', 'retry_interval', 'timeout']
const KUMA_OWN = ['id', 'user_id', 'created_date', 'weight', 'dns_last_result']

const kumaMonitor = (type: string, more: Row, own: readonly string[]): EverySetting => ({
  what: `a ${type} monitor of Uptime Kuma`,
  tool: 'uptime-kuma',
  row: { ...KUMA_MONITOR, type, ...more },
  toFile: (row) => kuma({ monitorList: [row] }),
  own: [...KUMA_OWN, ...own],
})

const KUMA: readonly EverySetting[] = [
  kumaMonitor('http', {}, ['push_token', 'retry_interval']),
  kumaMonitor('keyword', {}, ['push_token', 'retry_interval']),
  kumaMonitor('port', {}, [...OF_HTTP, 'push_token']),
  kumaMonitor('ping', {}, [...OF_HTTP, 'push_token']),
  kumaMonitor('dns', {}, [...OF_HTTP, 'push_token']),
  kumaMonitor('push', {}, [...OF_HTTP, 'timeout', 'domain_expiry_notification']),
  ...KUMA_CONTACTS.map(
    (config): EverySetting => ({
      what: `a notification of Uptime Kuma by ${config.type}`,
      tool: 'uptime-kuma',
      row: config,
      toFile: (row) => kuma({ notificationList: [{ id: 1, name: 'Team', config: json(row) }] }),
      own: ['name', 'applyExisting'],
    }),
  ),
]
void KUMA_PAGE
void KUMA_WINDOW
void OF_OTHERS

const GATUS: readonly EverySetting[] = [
  {
    what: 'an endpoint of Gatus',
    tool: 'gatus',
    row: GATUS_ENDPOINT,
    toFile: (row) => json({ alerting: { slack: { 'webhook-url': 'https://h.example.com/x' } }, endpoints: [row] }),
    own: ['store', 'always-run'],
  },
  ...['https://a.example.com/', 'tls://a.example.com:993', 'icmp://a.example.com'].map(
    (url): EverySetting => ({
      what: `the client of Gatus for ${url}`,
      tool: 'gatus',
      row: GATUS_CLIENT,
      toFile: (client) =>
        json({ endpoints: [{ name: 'A', url, conditions: ['[CONNECTED] == true'], client }] }),
      own: [],
    }),
  ),
  ...Object.entries(GATUS_PROVIDERS).map(
    ([provider, row]): EverySetting => ({
      what: `the provider ${provider} of Gatus`,
      tool: 'gatus',
      row,
      toFile: (config) => json({ alerting: { [provider]: config }, endpoints: [] }),
      own: [],
    }),
  ),
]

const STACK_ENTRY = { url: 'https://a.example.com/', monitor_type: 'status', pronounceable_name: 'A' }
const stack = (type: string, attributes: object, id = '1') => ({ id, type, attributes })

const HOSTED: readonly EverySetting[] = [
  {
    what: 'a monitor of UptimeRobot',
    tool: 'uptimerobot',
    row: ROBOT_MONITOR,
    toFile: (row) => json({ monitors: [row] }),
    own: [
      'id',
      'userId',
      'apiKey',
      'psps',
      'currentStateDuration',
      'lastIncident',
      'lastIncidentId',
      'createDateTime',
      'lastDayUptimes',
      'sslBrand',
      'sslExpiryDateTime',
      'domainExpireDate',
      'maintenanceWindows',
    ],
  },
  {
    what: 'the config of a monitor of UptimeRobot',
    tool: 'uptimerobot',
    row: ROBOT_CONFIG,
    toFile: (config) => json({ monitors: [{ ...ROBOT_MONITOR, config }] }),
    own: [],
  },
  {
    what: 'a maintenance window of UptimeRobot',
    tool: 'uptimerobot',
    row: ROBOT_WINDOW,
    toFile: (row) => json({ monitors: [ROBOT_MONITOR], maintenanceWindows: [row] }),
    own: ['userId', 'created'],
  },
  {
    what: 'a page of UptimeRobot',
    tool: 'uptimerobot',
    row: ROBOT_PAGE,
    toFile: (row) => json({ monitors: [ROBOT_MONITOR], psps: [row] }),
    own: ['monitorsCount'],
  },
  {
    what: 'a monitor of Better Stack',
    tool: 'betterstack',
    row: STACK_MONITOR,
    toFile: (row) => json({ data: [stack('monitor', row)] }),
    own: ['created_at', 'updated_at', 'last_checked_at', 'team_name', 'status'],
  },
  {
    what: 'a heartbeat of Better Stack',
    tool: 'betterstack',
    row: STACK_HEARTBEAT,
    toFile: (row) => json({ data: [stack('heartbeat', row)] }),
    own: ['created_at', 'updated_at', 'team_name', 'status', 'sort_index', 'server_timezone'],
  },
  {
    what: 'a page of Better Stack',
    tool: 'betterstack',
    row: STACK_PAGE,
    toFile: (row) => json({ data: [stack('status_page', row)] }),
    own: ['created_at', 'updated_at', 'aggregate_state'],
  },
  {
    what: 'a resource of a page of Better Stack',
    tool: 'betterstack',
    row: STACK_RESOURCE,
    toFile: (row) =>
      json({
        data: [
          stack('monitor', STACK_ENTRY),
          stack('status_page', { company_name: 'A' }),
          stack('status_page_section', { name: 'Web' }),
          stack('status_page_resource', row),
        ],
      }),
    // One resource is in the same place wherever it is.
    own: ['availability', 'status', 'status_history', 'position', 'fixed_position'],
  },
  {
    what: 'a page of Statuspage',
    tool: 'statuspage',
    row: STATUSPAGE,
    toFile: (page) => json({ page, components: [] }),
    own: ['created_at', 'updated_at', 'activity_score', 'city', 'state', 'country'],
  },
  {
    what: 'a component of Statuspage',
    tool: 'statuspage',
    row: COMPONENT,
    toFile: (row) => json({ page: { name: 'A' }, components: [row] }),
    own: ['page_id', 'created_at', 'updated_at', 'automation_email', 'group', 'group_id', 'position'],
  },
  {
    what: 'a check of Healthchecks',
    tool: 'healthchecks',
    row: CHECK,
    toFile: (row) => json({ checks: [row] }),
    own: [
      'slug',
      'unique_key',
      'n_pings',
      'started',
      'last_ping',
      'last_duration',
      'next_ping',
      'update_url',
      'pause_url',
      'resume_url',
      'badge_url',
      // The schedule wins.
      'timeout',
    ],
  },
  {
    what: 'a row of CSV',
    tool: 'csv',
    row: {
      name: 'Shop',
      type: 'KEYWORD',
      url: 'https://a.example.com/',
      keyword: 'Welcome',
      keywordmatch: 'NOT_EXISTS',
      intervalseconds: '120',
      timeoutseconds: '20',
      method: 'POST',
      tags: 'web',
      state: 'PAUSED',
      sslexpirythresholddays: '20',
      requestheaders: 'X-Token: planted',
      owner: 'planted',
    },
    toFile: (row) => `${Object.keys(row).join(',')}\n${Object.values(row).join(',')}\n`,
    own: ['name'],
  },
]

export const EVERY_SETTING: readonly EverySetting[] = [...KUMA, ...GATUS, ...HOSTED]
