// 56 monitors of Uptime Kuma 2.5.3, of each of its 33 types, and what an import has to say about each.
import type { KumaRows } from './kuma-database.ts'

type Row = Readonly<Record<string, string | number | null>>
type Field = string | number | boolean | readonly unknown[]
/** `fields`: in upvane.yaml. `lost`: settings that the report names. `why`: it is not taken, and this is in the reason. */
type Expected =
  | { fields: Readonly<Record<string, Field>>; lost?: readonly string[] }
  | { why: string }
type KumaCase = { row: Row; expected: Expected }

const cases: KumaCase[] = []
const add = (name: string, type: string, row: Row, expected: Expected): void => {
  const id = cases.length + 1
  cases.push({ row: { id, name, type, interval: 60, timeout: 48, ...row }, expected })
}
const WEB = 'https://shop.example.com/'
const web = (name: string, row: Row, fields: Record<string, Field>, lost: string[] = []): void =>
  add(name, 'http', { url: WEB, ...row }, { fields: { type: 'HTTP', url: WEB, ...fields }, lost })
const refused = (
  name: string,
  type: string,
  row: Row,
  why = `no monitor of type "${type}"`,
): void => add(name, type, row, { why })

// The first, so that others can be in it.
refused('everything', 'group', {}, 'A group is not a monitor')

// Of every type that Upvane has, with each of its settings.
web('Plain page', {}, { intervalSeconds: 60, timeoutSeconds: 48 })
web(
  'Posts JSON',
  { method: 'POST', body: '{"a":1}', http_body_encoding: 'json' },
  { method: 'POST' },
)
web('Own headers', { headers: '{"X-Api-Key":"planted"}' }, {})
web('Basic sign-in', { auth_method: 'basic', basic_auth_user: 'a', basic_auth_pass: 'planted' }, {})
web('Bearer sign-in', { auth_method: 'bearer', bearer_token: 'planted' }, {})
web(
  'Moved',
  { accepted_statuscodes_json: '["301","308"]', maxredirects: 0 },
  { followRedirects: false },
)
web('Few redirects', { maxredirects: 3 }, {}, ['maxredirects'])
web('Own certificate', { ignore_tls: 1 }, { verifySsl: false })
web('Paused', { active: 0 }, { paused: true })
web('Retries', { maxretries: 2, retry_interval: 30 }, {}, ['maxretries'])
web('Described', { description: 'The shop', resend_interval: 5 }, {}, [
  'description',
  'resend_interval',
])
web('Through a proxy', { proxy_id: 1, ip_family: 'ipv4' }, {}, ['proxy_id', 'ip_family'])
web('Past the cache', { cache_bust: 1 }, {}, ['cache_bust'])
web('Keeps responses', { save_response: 1, response_max_length: 4096 }, {}, [
  'save_response',
  'response_max_length',
])
web('In a group', { parent: 1 }, { tags: ['everything'] }, ['parent'])
add(
  'Keyword',
  'keyword',
  { url: WEB, keyword: 'Welcome' },
  { fields: { type: 'KEYWORD', url: WEB, keyword: 'Welcome' } },
)
add(
  'No keyword',
  'keyword',
  { url: WEB, keyword: 'Error', invert_keyword: 1 },
  { fields: { type: 'KEYWORD', keyword: 'Error', keywordMatch: 'NOT_EXISTS' } },
)
add(
  'Port',
  'port',
  { hostname: 'db.example.com', port: 5432 },
  { fields: { type: 'PORT', host: 'db.example.com', port: 5432 } },
)
add(
  'Port with TLS',
  'port',
  { hostname: 'mail.example.com', port: 25, smtp_security: 'starttls' },
  { fields: { type: 'PORT', port: 25 }, lost: ['smtp_security'] },
)
add('Ping', 'ping', { hostname: '192.0.2.1' }, { fields: { type: 'PING', host: '192.0.2.1' } })
add(
  'Large pings',
  'ping',
  { hostname: '192.0.2.1', packet_size: 1000, ping_count: 3 },
  { fields: { type: 'PING' }, lost: ['packet_size', 'ping_count'] },
)
add(
  'Records',
  'dns',
  { hostname: 'example.com', dns_resolve_type: 'MX', dns_resolve_server: '1.1.1.1' },
  { fields: { type: 'DNS', dnsRecordType: 'MX' }, lost: ['dns_resolve_server'] },
)
add(
  'Expected record',
  'dns',
  {
    hostname: 'example.com',
    dns_resolve_type: 'A',
    conditions:
      '[{"type":"expression","variable":"record","operator":"equals","value":"192.0.2.1"}]',
  },
  { fields: { type: 'DNS', dnsExpected: '192.0.2.1' } },
)
add(
  'Job',
  'push',
  { push_token: 'eYaNuTzjHT', interval: 3600, maxretries: 1, retry_interval: 600 },
  { fields: { type: 'CRON', expectedPeriodSec: 3600, graceSeconds: 600 } },
)

// Of the same types, but with something that Upvane would watch differently.
refused('Upside down', 'http', { url: WEB, upside_down: 1 }, 'upside down')
refused('OAuth', 'http', { url: WEB, auth_method: 'oauth2-cc' }, 'sign in by oauth2-cc')
refused('Broken headers', 'http', { url: WEB, headers: '{' }, 'headers are not JSON')
refused('CAA records', 'dns', { hostname: 'example.com', dns_resolve_type: 'CAA' }, 'CAA records')
refused(
  'Condition',
  'dns',
  {
    hostname: 'example.com',
    conditions: '[{"type":"expression","variable":"record","operator":"contains","value":"192"}]',
  },
  'condition: record contains 192',
)

// Of every other type.
refused('Stock as JSON', 'json-query', { url: WEB, json_path: '$.n' })
refused('gRPC', 'grpc-keyword', { grpc_url: 'grpc.example.com:443' })
refused('Container', 'docker', { docker_container: 'web', docker_host: 1 })
const OTHERS = [
  'gamedig',
  'globalping',
  'kafka-producer',
  'manual',
  'mongodb',
  'mqtt',
  'mysql',
  'ntp',
  'oracledb',
  'pm2',
  'postgres',
  'rabbitmq',
  'radius',
  'real-browser',
  'redis',
  'sip-options',
  'smtp',
  'snmp',
  'sqlserver',
  'steam',
  'system-service',
  'tailscale-ping',
  'websocket-upgrade',
] as const
// Without a host of its own, the nearest Upvane has is nothing.
for (const type of OTHERS) refused(`A ${type}`, type, {})

export const KUMA_CASES: readonly KumaCase[] = cases
export const KUMA_TYPES = 33
export const FIFTY_SIX: KumaRows = {
  setting: [{ key: 'primaryBaseURL', value: '"https://kuma.example.com"' }],
  proxy: [{ id: 1, user_id: 1, protocol: 'http', host: 'proxy', port: 8080, auth: 0 }],
  docker_host: [{ id: 1, user_id: 1, name: 'local' }],
  monitor: cases.map(({ row }) => row),
}
