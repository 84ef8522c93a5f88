// The fields of the create body, row by row: which values each accepts and rejects, and its default. The same rows test
// create and update.

type FieldRow = {
  field: string
  /** The default on create; null where the specification names none. */
  fallback?: unknown
  inside: readonly unknown[]
  /** A rejected value, and the path that names it if it is not the field itself. */
  outside: readonly (readonly [value: unknown, path?: string])[]
}

type Bounds = { fallback: number | null; min: number; max: number; nullable?: boolean }

const notText = [[1], [true], [[]], [{}]] as const
const notWhole = [['1'], [1.5], [true], [[]], [{}], ['']] as const
const refuseNull = [[null]] as const

function text(field: string, max: number): FieldRow {
  const emoji = '😀'
  return {
    field,
    fallback: null,
    inside: [null, '', 'x', 'x'.repeat(max), emoji.repeat(max)],
    outside: [['x'.repeat(max + 1)], [emoji.repeat(max + 1)], ...notText],
  }
}

function whole(field: string, { fallback, min, max, nullable = false }: Bounds): FieldRow {
  return {
    field,
    fallback,
    inside: [min, min + 1, max - 1, max, ...(nullable ? [null] : [])],
    outside: [[min - 1], [max + 1], [-1], [1e21], ...notWhole, ...(nullable ? [] : refuseNull)],
  }
}

function choice(field: string, values: readonly string[], fallback?: string): FieldRow {
  const wrongCase = values[0]?.toLowerCase() ?? ''
  return {
    field,
    ...(fallback !== undefined && { fallback }),
    inside: values,
    outside: [[wrongCase], [''], ['OTHER'], [`${values[0]} `], ...notText, ...refuseNull],
  }
}

function flag(field: string): FieldRow {
  return {
    field,
    fallback: true,
    inside: [true, false],
    outside: [['true'], [1], [0], [''], [[]], [{}], ...refuseNull],
  }
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']
export const MONITOR_TYPES = ['HTTP', 'KEYWORD', 'PING', 'PORT', 'CRON', 'DNS', 'SSL', 'DOMAIN']
const DEFAULT_STATUS = [200, 201, 202, 203, 204, 205, 206, 301, 302, 307, 308]

/** Complete for every type, so that only `type` decides which fields apply. */
export const COMPLETE = {
  name: 'Complete',
  type: 'CRON',
  url: 'https://example.com/health',
  host: 'example.com',
  port: 443,
  keyword: 'ok',
}

const name: FieldRow = {
  field: 'name',
  inside: ['x', ' ', 'x'.repeat(120), '😀'.repeat(120), 'Ünïcode ✓', '__proto__'],
  outside: [[''], ['x'.repeat(121)], ['😀'.repeat(121)], ...notText, ...refuseNull],
}

const expectedStatus: FieldRow = {
  field: 'expectedStatus',
  fallback: DEFAULT_STATUS,
  inside: [[100], [599], [503, 200, 200, 404], Array.from({ length: 100 }, (_, i) => 100 + i)],
  outside: [
    [[]],
    [Array.from({ length: 101 }, () => 200)],
    [[99], 'expectedStatus.0'],
    [[200, 600], 'expectedStatus.1'],
    [[200, 201, '200'], 'expectedStatus.2'],
    [[200.5], 'expectedStatus.0'],
    [[null], 'expectedStatus.0'],
    [[[200]], 'expectedStatus.0'],
    [200],
    ['200'],
    [{ 0: 200 }],
    ...refuseNull,
  ],
}

const requestHeaders: FieldRow = {
  field: 'requestHeaders',
  fallback: null,
  inside: [null, {}, { 'X-Token': 'secret' }, { b: '2', a: '', constructor: 'x', toString: 'y' }],
  outside: [
    [{ 'X-Token': 1 }, 'requestHeaders.X-Token'],
    [{ 'X-Token': null }, 'requestHeaders.X-Token'],
    [{ ok: 'yes', 'X-Token': ['a'] }, 'requestHeaders.X-Token'],
    [{ 'a/b~c': 1 }, 'requestHeaders.a/b~c'],
    [[]],
    ['X-Token: secret'],
    [1],
    [true],
  ],
}

/** The 24 fields a user can set. */
export const FIELDS: readonly FieldRow[] = [
  name,
  choice('type', MONITOR_TYPES),
  text('url', 2048),
  text('host', 255),
  whole('port', { fallback: null, min: 1, max: 65_535, nullable: true }),
  choice('method', METHODS, 'GET'),
  expectedStatus,
  requestHeaders,
  text('requestBody', 100_000),
  flag('followRedirects'),
  flag('verifySsl'),
  text('keyword', 500),
  choice('keywordMatch', ['EXISTS', 'NOT_EXISTS'], 'EXISTS'),
  choice('dnsRecordType', ['A', 'AAAA', 'CNAME', 'MX', 'TXT', 'NS'], 'A'),
  text('dnsExpected', 2000),
  flag('dnsAlertOnChange'),
  whole('sslExpiryThresholdDays', { fallback: 2, min: 1, max: 365 }),
  whole('intervalSeconds', { fallback: 300, min: 30, max: 86_400 }),
  whole('timeoutSeconds', { fallback: 30, min: 1, max: 60 }),
  whole('expectedPeriodSec', { fallback: null, min: 60, max: 2_592_000, nullable: true }),
  whole('graceSeconds', { fallback: 60, min: 0, max: 86_400 }),
  whole('degradedThresholdMs', { fallback: null, min: 1, max: 60_000, nullable: true }),
  choice('degradedThresholdMode', ['LAST', 'P95'], 'LAST'),
  whole('degradedSamples', { fallback: 3, min: 1, max: 100 }),
]
