// Uptime Kuma, Healthchecks, Gatus and CSV.
import { type RealFile, toJson } from './real-file.ts'

const UUID = '5f2b1a6e-0c1d-4e2f-8a3b-4c5d6e7f809'

/** A monitor as Uptime Kuma 1.23 wrote it into a backup. */
const BACKED_UP = {
  description: null,
  parent: null,
  childrenIDs: [],
  url: 'https://',
  method: 'GET',
  hostname: null,
  port: null,
  maxretries: 0,
  weight: 2000,
  active: true,
  forceInactive: false,
  timeout: 48,
  interval: 60,
  retryInterval: 60,
  resendInterval: 0,
  keyword: null,
  invertKeyword: false,
  expiryNotification: false,
  ignoreTls: false,
  upsideDown: false,
  packetSize: 56,
  maxredirects: 10,
  accepted_statuscodes: ['200-299'],
  dns_resolve_type: 'A',
  dns_resolve_server: '1.1.1.1',
  dns_last_result: null,
  docker_container: '',
  docker_host: null,
  proxyId: null,
  notificationIDList: {},
  tags: [],
  maintenance: false,
  mqttTopic: '',
  databaseQuery: null,
  authMethod: null,
  grpcUrl: null,
  radiusCalledStationId: null,
  game: null,
  gamedigGivenPortOnly: true,
  httpBodyEncoding: null,
  jsonPath: null,
  expectedValue: null,
  kafkaProducerTopic: null,
  screenshot: null,
  headers: null,
  body: null,
  basic_auth_user: null,
  basic_auth_pass: null,
  pushToken: null,
  includeSensitiveData: true,
}

const backedUp = (id: number, name: string, type: string, more: object) => ({
  ...BACKED_UP,
  id,
  name,
  pathName: name,
  type,
  ...more,
})

const KUMA_BACKUP = {
  version: '1.23.16',
  notificationList: [
    {
      id: 1,
      name: 'Chat',
      active: true,
      userId: 1,
      isDefault: true,
      config: JSON.stringify({
        name: 'Chat',
        type: 'discord',
        isDefault: true,
        discordWebhookUrl: 'https://discord.com/api/webhooks/1/planted',
      }),
    },
    { id: 2, name: 'Signal', active: true, userId: 1, config: '{"type":"signal"}' },
  ],
  monitorList: [
    backedUp(1, 'Servers', 'group', { childrenIDs: [2] }),
    backedUp(2, 'Shop', 'http', {
      url: 'https://shop.example.com/',
      parent: 1,
      headers: '{"Authorization": "Bearer planted-header"}',
      notificationIDList: { 1: true },
      tags: [{ tag_id: 1, monitor_id: 2, value: '', name: 'Production', color: '#DC2626' }],
    }),
    backedUp(3, 'Welcome', 'keyword', { url: 'https://shop.example.com/', keyword: 'Welcome' }),
    backedUp(4, 'Mail', 'port', { hostname: 'mail.example.com', port: 25 }),
    backedUp(5, 'Router', 'ping', { hostname: '192.0.2.1' }),
    backedUp(6, 'Names', 'dns', { hostname: 'example.com', dns_resolve_type: 'NS' }),
    backedUp(7, 'Backup', 'push', { pushToken: 'Zq0bYxA1fT', interval: 3600 }),
    backedUp(8, 'Container', 'docker', { docker_container: 'web', docker_host: 1 }),
    backedUp(9, 'Price', 'json-query', { url: 'https://api.example.com/', jsonPath: '$.price' }),
  ],
}

/** A check as Healthchecks answers; `unique_key` instead of the UUID for a key that only reads. */
const check = (name: string, more: object) => ({
  name,
  slug: name.toLowerCase(),
  tags: 'prod',
  desc: '',
  grace: 3600,
  n_pings: 12,
  status: 'up',
  started: false,
  last_ping: '2026-11-15T03:00:00+00:00',
  next_ping: '2026-11-16T03:00:00+00:00',
  manual_resume: false,
  methods: '',
  channels: '',
  timeout: 86_400,
  ...more,
})

const api = `https://hc.example.com/api`
const urls = (version: number, last: string) => ({
  ping_url: `https://hc.example.com/ping/${UUID}${last}`,
  update_url: `${api}/v${version}/checks/${UUID}${last}`,
  pause_url: `${api}/v${version}/checks/${UUID}${last}/pause`,
})

const CHECKS_1 = [
  check('Backup', urls(1, '1')),
  check('Report', {
    ...urls(1, '2'),
    timeout: undefined,
    schedule: '0 6 * * 1-5',
    tz: 'Europe/Berlin',
  }),
]
const FILTERS = { success_kw: '', failure_kw: '', start_kw: '', filter_subject: false }
const CHECKS_2 = [
  check('Backup', { ...urls(2, '1'), ...FILTERS, filter_body: false, last_duration: 12 }),
  check('Paused', { ...urls(2, '3'), ...FILTERS, filter_body: false, status: 'paused' }),
]
const CHECKS_3 = [
  check('Backup', {
    ...urls(3, '1'),
    uuid: `${UUID}1`,
    ...FILTERS,
    filter_body: false,
    resume_url: `${api}/v3/checks/${UUID}1/resume`,
    badge_url: 'https://hc.example.com/b/2/x.svg',
  }),
  check('Report', {
    ...urls(3, '2'),
    uuid: `${UUID}2`,
    timeout: undefined,
    schedule: '*/15 8-18 * * *',
    tz: 'UTC',
  }),
  check('Calendar', {
    ...urls(3, '3'),
    uuid: `${UUID}3`,
    timeout: undefined,
    schedule: 'Mon..Fri 08:00',
    tz: 'UTC',
  }),
  check('Mailed', { ...urls(3, '4'), uuid: `${UUID}4`, ...FILTERS, success_kw: 'OK' }),
]
const CHECKS_READ_ONLY = [
  check('Backup', { unique_key: 'a6c7b0a8a66bed0df66abfdab3c77736703703ee' }),
]

const GATUS = `metrics: true
storage: {type: sqlite, path: /data/data.db}
x-defaults: &defaults
  interval: 5m
  client: {timeout: 10s}
  alerts: [{type: slack, failure-threshold: 5, send-on-resolved: true}]
alerting:
  slack:
    webhook-url: "https://hooks.slack.com/services/T0/B0/planted"
    default-alert: {description: "health check failed"}
  ntfy: {topic: alerts, url: "https://ntfy.example.com", token: "planted-token"}
  matrix: {server-url: "https://matrix.example.com", access-token: planted}
maintenance: {start: "23:00", duration: 1h, timezone: Europe/Amsterdam, every: [Monday, Thursday]}
endpoints:
  - <<: *defaults
    name: website
    group: core
    url: "https://example.com/health"
    headers: {Authorization: "Bearer \${PROBE_TOKEN}"}
    conditions: ["[STATUS] >= 200", "[STATUS] < 300", "[RESPONSE_TIME] < 500", "[CERTIFICATE_EXPIRATION] > 240h", "[DOMAIN_EXPIRATION] > 720h"]
  - {name: text, group: core, url: "https://example.com/", conditions: ["[STATUS] == any(200, 204)", "[BODY] == pat(*Welcome*)"]}
  - {name: json, group: core, url: "https://example.com/api", conditions: ["[BODY].status == UP"]}
  - {name: dns, url: "8.8.8.8", dns: {query-name: example.com, query-type: A}, conditions: ["[BODY] == 93.184.215.14", "[DNS_RCODE] == NOERROR"]}
  - {name: ping, url: "icmp://example.org", conditions: ["[CONNECTED] == true"]}
  - {name: tcp, url: "tcp://127.0.0.1:6379", conditions: ["[CONNECTED] == true"]}
  - {name: tls, url: "tls://example.org:993", conditions: ["[CONNECTED] == true", "[CERTIFICATE_EXPIRATION] > 48h"]}
  - {name: starttls, url: "starttls://smtp.example.org:587", conditions: ["[CONNECTED] == true"]}
  - {name: ws, url: "wss://example.org/", body: "x", conditions: ["[CONNECTED] == true"]}
  - {name: ssh, url: "ssh://example.org:22", ssh: {username: me, password: planted}, conditions: ["[CONNECTED] == true"]}
external-endpoints:
  - {name: nightly, group: jobs, token: planted-token, heartbeat: {interval: 30m}, alerts: [{type: slack}]}
suites:
  - {name: checkout, group: flows, endpoints: [{name: a, url: "https://example.com/", conditions: ["[STATUS] == 200"]}]}
`

const CSV = `name,type,url,host,port,intervalSeconds,tags
Shop,HTTP,https://shop.example.com/,,,60,"web,prod"
Bare,,example.com,,,,
Mail,PORT,,mail.example.com,25,120,
Router,PING,,192.0.2.1,,20,
Certificate,SSL,https://example.com/,,,3600,
Domain,DOMAIN,example.com,,,86400,
Video,RTMP,rtmp://example.com/,,,60,
`
const EXPORTED = `id,name,type,target,state,everySeconds,tags
mon_1,Shop,HTTP,https://shop.example.com/,UP,60,prod
mon_2,Mail,PORT,mail.example.com:25,PAUSED,60,
mon_3,Nightly,CRON,,UP,3600,
`

export const SELF_HOSTED: readonly RealFile[] = [
  {
    tool: 'uptime-kuma',
    version: 'JSON backup of 1.23',
    name: 'Uptime_Kuma_Backup.json',
    text: toJson(KUMA_BACKUP),
    counts: { monitor: [4, 2, 3], contact: [0, 1, 1] },
  },
  {
    tool: 'healthchecks',
    version: 'API version 1',
    name: 'checks-1.json',
    text: toJson({ checks: CHECKS_1 }),
    counts: { heartbeat: [1, 1, 0] },
  },
  {
    tool: 'healthchecks',
    version: 'API version 2',
    name: 'checks-2.json',
    text: toJson({ checks: CHECKS_2 }),
    counts: { heartbeat: [2, 0, 0] },
  },
  {
    tool: 'healthchecks',
    version: 'API version 3',
    name: 'checks-3.json',
    text: toJson({ checks: CHECKS_3 }),
    counts: { heartbeat: [1, 2, 1] },
  },
  {
    tool: 'healthchecks',
    version: 'API version 3 with a read-only key',
    name: 'checks-read-only.json',
    text: toJson({ checks: CHECKS_READ_ONLY }),
    counts: { heartbeat: [1, 0, 0] },
  },
  {
    tool: 'gatus',
    version: 'version 5',
    name: 'config.yaml',
    text: GATUS,
    counts: {
      monitor: [3, 4, 4],
      heartbeat: [1, 0, 0],
      contact: [1, 1, 1],
      'maintenance window': [1, 0, 0],
    },
  },
  {
    tool: 'csv',
    version: 'our field names',
    name: 'monitors.csv',
    text: CSV,
    counts: { monitor: [5, 1, 1] },
  },
  {
    tool: 'csv',
    version: "the dashboard's export",
    name: 'exported.csv',
    text: EXPORTED,
    counts: { monitor: [3, 0, 0] },
  },
]
