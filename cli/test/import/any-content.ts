// Files of every tool with any content: likely values, and any others. Used by tests of the mapping, and through the
// command line by tests of the running product.
import fc from 'fast-check'

export const PLANTED = 'planted-5f2b1a6e'

const anything = fc.oneof(
  { weight: 3, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
  fc.constantFrom(
    PLANTED,
    'https://a.example.com/',
    'a.example.com',
    'constructor',
    '__proto__',
    'paused',
    '[1,2]',
    '{"type":"slack"}',
    '0 3 * * *',
    '60s',
  ),
  fc.integer({ min: -10, max: 100_000 }),
)

/** Rows with the given columns, of any content, and some that are no rows at all. */
function rows(columns: Readonly<Record<string, readonly unknown[]>>): fc.Arbitrary<unknown[]> {
  const fields = Object.fromEntries(
    Object.entries(columns).map(([name, likely]) => [
      name,
      likely.length === 0
        ? anything
        : fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...likely) }, anything),
    ]),
  )
  const row = fc.record(fields, { requiredKeys: [] })
  return fc.array(fc.oneof({ weight: 9, arbitrary: row }, anything), { minLength: 1, maxLength: 8 })
}

const ADDRESS = ['https://a.example.com/', 'a.example.com', 'https://me:pw@a.example.com/']
const NAME = ['Shop', '', 'x'.repeat(300), 'A\u0000B', '${env:HOME}']

/** Rows of any content, and the file that has them. */
type AnyContent = [content: fc.Arbitrary<unknown[]>, toFile: (rows: unknown[]) => string]

const CSV_COLUMNS = ['name', 'type', 'url', 'target', 'everyseconds', 'tags'] as const

const toRow = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {}

function toCsv(rows: unknown[]): string {
  const lines = rows.map((row) =>
    CSV_COLUMNS.map((column) => {
      const value = toRow(row)[column] ?? ''
      const text = typeof value === 'string' ? value : JSON.stringify(value)
      return `"${text.replaceAll('"', '""')}"`
    }).join(','),
  )
  return `${[CSV_COLUMNS.join(','), ...lines].join('\n')}\n`
}

/** Every row once as each kind of entry. */
function toEntries(rows: unknown[]): unknown[] {
  const types = ['monitor', 'heartbeat', 'status_page', 'status_page_section']
  return [...types, 'status_page_resource', 'status_report'].flatMap((type) =>
    rows.map((attributes, at) => ({ id: String(at), type, attributes })),
  )
}

export const ANY_CONTENT: Readonly<Record<string, AnyContent>> = {
  'uptime-kuma': [
    rows({
      id: [1, 2, 3],
      name: NAME,
      type: ['http', 'keyword', 'port', 'ping', 'dns', 'push', 'group', 'mqtt'],
      url: ADDRESS,
      hostname: ADDRESS,
      port: [80, 0, '443'],
      interval: [],
      timeout: [],
      keyword: [],
      method: ['GET', 'OPTIONS'],
      headers: ['{"A":"b"}', `{"X":"${PLANTED}"}`],
      basic_auth_user: ['me'],
      basic_auth_pass: [PLANTED],
      body: [PLANTED],
      accepted_statuscodes: [['200-299'], []],
      active: [0, 1],
      parent: [1],
      tags: [[{ name: 'a', value: 'b' }]],
      notificationIDList: [{ 1: true }],
    }),
    (monitorList) => JSON.stringify({ monitorList, notificationList: monitorList }),
  ],
  uptimerobot: [
    rows({
      id: [1, 2],
      friendlyName: NAME,
      type: ['HTTP', 'KEYWORD', 'PING', 'PORT', 'HEARTBEAT', 'DNS', 'API', 'UDP'],
      url: ADDRESS,
      port: [80],
      interval: [],
      timeout: [],
      keywordType: ['ALERT_EXISTS', 'ALERT_NOT_EXISTS'],
      keywordValue: ['x'],
      httpPassword: [PLANTED],
      httpUsername: ['me'],
      customHttpHeaders: [{ 'X-Token': PLANTED }],
      postValueData: [PLANTED],
      successHttpResponseCodes: [['2xx']],
      tags: [['a'], [{ name: 'b' }]],
      maintenanceWindows: [[{ id: 1 }]],
      monitorIds: [[1, 2]],
      days: [[1, 7]],
      time: ['02:00:00'],
      duration: [60],
    }),
    (monitors) => JSON.stringify({ monitors, psps: monitors, maintenanceWindows: monitors }),
  ],
  betterstack: [
    rows({
      pronounceable_name: NAME,
      name: NAME,
      url: ADDRESS,
      monitor_type: ['status', 'expected_status_code', 'keyword', 'ping', 'tcp', 'dns', 'smtp'],
      port: ['25'],
      required_keyword: ['x'],
      check_frequency: [],
      request_timeout: [],
      request_headers: [[{ name: 'A', value: PLANTED }]],
      auth_password: [PLANTED],
      request_body: [PLANTED],
      maintenance_from: ['01:00:00'],
      maintenance_to: ['02:00:00'],
      maintenance_days: [['mon']],
      period: [],
      grace: [],
    }),
    (given) => JSON.stringify({ data: toEntries(given) }),
  ],
  statuspage: [
    rows({
      id: ['a', 'b'],
      name: NAME,
      status: ['operational', 'major_outage'],
      group_id: ['a'],
      group: [true, false],
      position: [1],
    }),
    (components) =>
      JSON.stringify({ page: toRow(components[0]), components, incidents: components }),
  ],
  healthchecks: [
    rows({
      name: NAME,
      timeout: [],
      grace: [],
      schedule: ['0 3 * * *', ''],
      tags: ['a b'],
      ping_url: ['https://hc.example.com/ping/x'],
    }),
    (checks) => JSON.stringify({ checks }),
  ],
  gatus: [
    rows({
      name: NAME,
      group: ['core'],
      url: ['https://a.example.com/', 'tcp://a.example.com:25', 'icmp://a.example.com'],
      interval: ['60s'],
      conditions: [['[STATUS] == 200'], ['[CONNECTED] == true']],
      headers: [{ A: PLANTED }],
      body: [PLANTED],
      client: [{ insecure: true }],
      dns: [{ 'query-name': 'example.com', 'query-type': 'A' }],
      alerts: [[{ type: 'slack' }]],
    }),
    (endpoints) =>
      JSON.stringify({
        endpoints,
        'external-endpoints': endpoints,
        suites: endpoints,
        alerting: { slack: endpoints[0] },
      }),
  ],
  csv: [
    rows({
      name: NAME,
      type: ['HTTP', 'PORT', 'CRON', 'SSL'],
      url: ADDRESS,
      target: ADDRESS,
      everyseconds: [],
      tags: ['a,b'],
    }),
    toCsv,
  ],
}
