// A database of Uptime Kuma 2 as a small company has it: 30 monitors of all kinds.
import type { KumaRows } from './kuma-database.ts'
import { TEAM } from './kuma-database.ts'

type Row = Record<string, string | number | null>

let last = 0
const monitor = (name: string, type: string, more: Row): Row => {
  last += 1
  return { id: last, name, type, interval: 60, timeout: 48, ...more }
}
const web = (name: string, path: string, more: Row = {}): Row =>
  monitor(name, 'http', { url: `https://shop.example.com/${path}`, parent: 1, ...more })

const MONITORS: readonly Row[] = [
  monitor('Shop', 'group', {}),
  web('Home page', '', { domain_expiry_notification: 1 }),
  web('Catalog', 'catalog'),
  web('Search', 'search', { interval: 20, timeout: 16 }),
  web('Checkout', 'checkout', {
    method: 'POST',
    body: '{"cart":"test"}',
    http_body_encoding: 'json',
    headers: '{"X-Api-Key":"planted-header"}',
    maxretries: 2,
  }),
  web('Account', 'account', {
    auth_method: 'basic',
    basic_auth_user: 'probe',
    basic_auth_pass: 'planted-password',
  }),
  web('Orders API', 'api/orders', { auth_method: 'bearer', bearer_token: 'planted-token' }),
  web('Old address', 'old', { accepted_statuscodes_json: '["301","308"]', maxredirects: 0 }),
  web('Staging', 'staging', { active: 0, ignore_tls: 1 }),
  monitor('Welcome text', 'keyword', { url: 'https://shop.example.com/', keyword: 'Welcome' }),
  monitor('No error text', 'keyword', {
    url: 'https://shop.example.com/',
    keyword: 'Exception',
    invert_keyword: 1,
  }),
  monitor('Stock as JSON', 'json-query', {
    url: 'https://shop.example.com/stock',
    json_path: '$.n',
  }),
  monitor('Mail in', 'port', { hostname: 'mail.example.com', port: 25 }),
  monitor('Mail out', 'port', { hostname: 'mail.example.com', port: 587 }),
  monitor('Router', 'ping', { hostname: '192.0.2.1' }),
  monitor('Office', 'ping', { hostname: 'office.example.com', packet_size: 1000 }),
  monitor('Mail records', 'dns', {
    hostname: 'example.com',
    dns_resolve_type: 'MX',
    dns_resolve_server: '1.1.1.1',
  }),
  monitor('Certificate records', 'dns', { hostname: 'example.com', dns_resolve_type: 'CAA' }),
  monitor('Nightly backup', 'push', {
    push_token: 'eYaNuTzjHT',
    interval: 86_400,
    maxretries: 1,
    retry_interval: 3600,
  }),
  monitor('Invoices', 'push', { push_token: 'Kq8sWx2LpB', interval: 3600 }),
  monitor('Import of prices', 'push', { push_token: 'mZ4vR7tYcD', interval: 900 }),
  monitor('Orders database', 'postgres', {
    database_connection_string: 'postgres://probe:planted-database@db.example.com/orders',
  }),
  monitor('Cache', 'redis', { database_connection_string: 'redis://:planted@cache.example.com' }),
  monitor('Message queue', 'mqtt', { hostname: 'mq.example.com', port: 1883, mqtt_topic: 'up' }),
  monitor('Web container', 'docker', { docker_container: 'web', docker_host: 1 }),
  monitor('Browser', 'real-browser', { url: 'https://shop.example.com/' }),
  monitor('Prices by gRPC', 'grpc-keyword', { grpc_url: 'prices.example.com:443' }),
  monitor('Switch', 'snmp', { hostname: '192.0.2.2', port: 161, snmp_oid: '1.3.6.1' }),
  monitor('Honeypot', 'http', { url: 'https://trap.example.com/', upside_down: 1 }),
  monitor('Status of a partner', 'http', { url: 'https://partner.example.com/health' }),
]

export const THIRTY: KumaRows = {
  ...TEAM,
  monitor: MONITORS,
  monitor_notification: MONITORS.map(({ id }) => ({ monitor_id: id ?? 0, notification_id: 1 })),
  monitor_tag: [{ monitor_id: 2, tag_id: 1, value: '' }],
  monitor_group: [2, 3, 5].map((monitor_id) => ({ monitor_id, group_id: 1, weight: monitor_id })),
}
