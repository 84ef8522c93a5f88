// Rows in which every setting of the tool's real schema is set, none of them to what the tool assumes by itself. Whatever
// contains "planted" is a secret.
import type { Imported } from '../../src/import/common/collector.ts'
import type { KumaData } from '../../src/import/uptime-kuma/data.ts'
import { mapKuma } from '../../src/import/uptime-kuma/map.ts'
import { GATUS_CLIENT, GATUS_ENDPOINT, GATUS_PROVIDERS } from './every-gatus-setting.ts'
import { HOSTED } from './every-hosted-tool.ts'
import { KUMA_CONTACTS } from './every-kuma-contact.ts'
import { KUMA_MONITOR, KUMA_PAGE, KUMA_WINDOW } from './every-kuma-setting.ts'
import { OPTIONS } from './imported.ts'
import { type EverySetting, mapJson, type Row } from './map-json.ts'

const json = JSON.stringify
const kuma = (more: object): Imported =>
  mapJson('uptime-kuma')({ monitorList: [], notificationList: [], ...more })
const gatus = mapJson('gatus')

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

export const EVERY_SETTING: readonly EverySetting[] = [...KUMA, ...GATUS, ...HOSTED]
