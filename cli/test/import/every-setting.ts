// Rows in which every setting of the tool's real schema is set, none of them to what the tool assumes by itself. Whatever
// contains "planted" is a secret.
import type { Imported } from '../../src/import/common/collector.ts'
import type { KumaData } from '../../src/import/uptime-kuma/data.ts'
import { mapKuma } from '../../src/import/uptime-kuma/map.ts'
import { GATUS_CLIENT, GATUS_ENDPOINT, GATUS_PROVIDERS } from './every-gatus-setting.ts'
import {
  CHECK,
  COMPONENT,
  STACK_HEARTBEAT,
  STACK_MONITOR,
  STACK_PAGE,
  STACK_RESOURCE,
  STATUSPAGE,
} from './every-hosted-setting.ts'
import { KUMA_CONTACTS } from './every-kuma-contact.ts'
import { KUMA_MONITOR, KUMA_PAGE, KUMA_WINDOW } from './every-kuma-setting.ts'
import { ROBOT_CONFIG, ROBOT_MONITOR, ROBOT_PAGE, ROBOT_WINDOW } from './every-robot-setting.ts'
import { OPTIONS } from './imported.ts'
import { mapText } from './map-text.ts'

type Row = Readonly<Record<string, unknown>>
type EverySetting = {
  what: string
  row: Row
  map(row: Row): Imported
  /** Ids, dates and measurements, and what this kind of item does not have. */
  own: readonly string[]
}

const json = JSON.stringify
const from =
  (tool: string) =>
  (content: object): Imported =>
    mapText(tool, json(content))
const kuma = (more: object): Imported =>
  from('uptime-kuma')({ monitorList: [], notificationList: [], ...more })
const gatus = from('gatus')
const robot = from('uptimerobot')
const betterStack = from('betterstack')
const statuspage = from('statuspage')
const healthchecks = from('healthchecks')

/** Settings that Uptime Kuma itself does not look at, unless a monitor is of their type. */
const OF_HTTP = ['expiry_notification']
const KUMA_OWN = ['id', 'user_id', 'created_date', 'weight', 'dns_last_result']

const kumaMonitor = (type: string, more: Row, own: readonly string[]): EverySetting => ({
  what: `a ${type} monitor of Uptime Kuma`,
  row: { ...KUMA_MONITOR, type, ...more },
  map: (row) => kuma({ monitorList: [row] }),
  own: [...KUMA_OWN, ...own],
})

const NOTHING: KumaData = {
  monitors: [],
  notifications: [],
  notificationsOf: new Map(),
  tags: [],
  tagsOf: new Map(),
  pages: [],
  maintenances: [],
  incidents: [],
  settings: new Map(),
}

const KUMA: readonly EverySetting[] = [
  kumaMonitor('http', {}, ['push_token', 'retry_interval', 'auth_method']),
  kumaMonitor('keyword', {}, ['push_token', 'retry_interval', 'auth_method']),
  kumaMonitor('port', {}, [...OF_HTTP, 'push_token']),
  kumaMonitor('ping', {}, [...OF_HTTP, 'push_token']),
  kumaMonitor('dns', {}, [...OF_HTTP, 'push_token']),
  kumaMonitor('push', {}, [...OF_HTTP, 'timeout', 'domain_expiry_notification']),
  ...KUMA_CONTACTS.map(
    (config): EverySetting => ({
      what: `a notification of Uptime Kuma by ${config.type}`,
      row: config,
      map: (row) => kuma({ notificationList: [{ id: 1, name: 'Team', config: json(row) }] }),
      // By token is how ntfy signs in without a method too.
      own: ['name', 'applyExisting', 'ntfyAuthenticationMethod'],
    }),
  ),
  {
    what: 'a page of Uptime Kuma',
    row: KUMA_PAGE,
    map: (row) =>
      mapKuma({ ...NOTHING, pages: [{ row, domains: [], groups: [], links: 0 }] }, OPTIONS),
    own: ['id', 'created_date', 'modified_date'],
  },
  {
    what: 'a maintenance of Uptime Kuma',
    row: KUMA_WINDOW,
    map: (row) =>
      mapKuma(
        {
          ...NOTHING,
          monitors: [KUMA_MONITOR],
          maintenances: [{ row, monitors: ['7'], pages: [] }],
        },
        OPTIONS,
      ),
    own: ['id', 'user_id', 'active', 'last_start_date', 'cron', 'duration', 'end_date'],
  },
]

const GATUS: readonly EverySetting[] = [
  {
    what: 'an endpoint of Gatus',
    row: GATUS_ENDPOINT,
    map: (row) =>
      gatus({
        alerting: { slack: { 'webhook-url': 'https://h.example.com/x' } },
        endpoints: [row],
      }),
    own: ['store', 'always-run'],
  },
  ...['https://a.example.com/', 'tls://a.example.com:993', 'icmp://a.example.com'].map(
    (url): EverySetting => ({
      what: `the client of Gatus for ${url}`,
      row: GATUS_CLIENT,
      map: (client) =>
        gatus({ endpoints: [{ name: 'A', url, conditions: ['[CONNECTED] == true'], client }] }),
      own: [],
    }),
  ),
  ...Object.entries(GATUS_PROVIDERS).map(
    ([provider, row]): EverySetting => ({
      what: `the provider ${provider} of Gatus`,
      row,
      map: (config) => gatus({ alerting: { [provider]: config }, endpoints: [] }),
      own: [],
    }),
  ),
]

const STACK_ENTRY = {
  url: 'https://a.example.com/',
  monitor_type: 'status',
  pronounceable_name: 'A',
}
const stack = (type: string, attributes: object, id = '1') => ({ id, type, attributes })

const HOSTED: readonly EverySetting[] = [
  {
    what: 'a monitor of UptimeRobot',
    row: ROBOT_MONITOR,
    map: (row) => robot({ monitors: [row] }),
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
    row: ROBOT_CONFIG,
    map: (config) => robot({ monitors: [{ ...ROBOT_MONITOR, config }] }),
    own: [],
  },
  {
    what: 'a maintenance window of UptimeRobot',
    row: ROBOT_WINDOW,
    map: (row) => robot({ monitors: [ROBOT_MONITOR], maintenanceWindows: [row] }),
    own: ['userId', 'created', 'status'],
  },
  {
    what: 'a page of UptimeRobot',
    row: ROBOT_PAGE,
    map: (row) => robot({ monitors: [ROBOT_MONITOR], psps: [row] }),
    own: ['monitorsCount'],
  },
  {
    what: 'a monitor of Better Stack',
    row: STACK_MONITOR,
    map: (row) => betterStack({ data: [stack('monitor', row)] }),
    own: ['created_at', 'updated_at', 'last_checked_at', 'team_name', 'status'],
  },
  {
    what: 'a heartbeat of Better Stack',
    row: STACK_HEARTBEAT,
    map: (row) => betterStack({ data: [stack('heartbeat', row)] }),
    own: ['created_at', 'updated_at', 'team_name', 'status', 'sort_index', 'server_timezone'],
  },
  {
    what: 'a page of Better Stack',
    row: STACK_PAGE,
    map: (row) => betterStack({ data: [stack('status_page', row)] }),
    own: ['created_at', 'updated_at', 'aggregate_state'],
  },
  {
    what: 'a resource of a page of Better Stack',
    row: STACK_RESOURCE,
    map: (row) =>
      betterStack({
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
    row: STATUSPAGE,
    map: (page) => statuspage({ page, components: [] }),
    own: ['created_at', 'updated_at', 'activity_score', 'city', 'state', 'country'],
  },
  {
    what: 'a component of Statuspage',
    row: COMPONENT,
    map: (row) => statuspage({ page: { name: 'A' }, components: [row] }),
    own: [
      'page_id',
      'created_at',
      'updated_at',
      'automation_email',
      'group',
      'group_id',
      'position',
    ],
  },
  {
    what: 'a check of Healthchecks',
    row: CHECK,
    map: (row) => healthchecks({ checks: [row] }),
    own: [
      'slug',
      'unique_key',
      // Also in the URL.
      'uuid',
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
    map: (row) =>
      mapText('csv', `${Object.keys(row).join(',')}\n${Object.values(row).join(',')}\n`),
    own: ['name'],
  },
]

export const EVERY_SETTING: readonly EverySetting[] = [...KUMA, ...GATUS, ...HOSTED]
