// What Acme monitors: forty monitors of all eight types, how fast each usually responds, and its outages.
import type { CauseCode } from '../../src/domain/incidents/incident.ts'
import type { Addresses } from './targets.ts'

export type Disruption = {
  state: 'DOWN' | 'DEGRADED'
  /** When it started and how long it lasted; without `minutes` it is ongoing. */
  minutesAgo: number
  minutes?: number
  code?: CauseCode
  cause?: string
  excerpt?: string
  taken?: { by: string; afterMinutes: number; note?: string }
  notes?: readonly { by: string; afterMinutes: number; text: string }[]
}

export type Watched = {
  type: string
  fields: Readonly<Record<string, unknown>>
  /** The response time at night; null if none is measured. */
  usualMs: number | null
  disruptions: readonly Disruption[]
  isPaused?: boolean
}

const HOUR = 60
const DAY = 24 * HOUR

const http503 = {
  code: 'UNEXPECTED_STATUS' as const,
  cause: 'HTTP 503, expected 200-206, 301, 302, 307, 308',
  excerpt: 'upstream connect error or disconnect/reset before headers',
}
const timeout = { code: 'TIMEOUT' as const, cause: 'Timed out after 30 s' }
const refused = { code: 'CONNECTION_REFUSED' as const, cause: 'Connection refused' }
const down = (
  minutesAgo: number,
  minutes: number,
  what: Partial<Disruption> = http503,
): Disruption => ({
  state: 'DOWN',
  minutesAgo,
  minutes,
  ...what,
})
const slow = (minutesAgo: number, minutes: number): Disruption => ({
  state: 'DEGRADED',
  minutesAgo,
  minutes,
})

type Extra = Partial<Watched> & { more?: Record<string, unknown> }
type Settings = { url?: string; host?: string } & Record<string, unknown>

function watched(type: string, name: string, settings: Settings, extra: Extra = {}): Watched {
  const { more = {}, usualMs = null, disruptions = [], ...rest } = extra
  return {
    type,
    fields: { name, type, intervalSeconds: 60, ...settings, ...more },
    usualMs,
    disruptions,
    ...rest,
  }
}

const CHECKOUT: readonly Disruption[] = [
  {
    state: 'DOWN',
    minutesAgo: 14,
    ...http503,
    taken: { by: 'Ana Keller', afterMinutes: 2, note: 'Release 412 is being rolled back.' },
    notes: [
      { by: 'Ana Keller', afterMinutes: 5, text: 'Rollback running, first pods are responding.' },
      { by: 'Tomás Ruiz', afterMinutes: 9, text: 'Two of six pods still crash on startup.' },
    ],
  },
  down(3 * DAY + 190, 18, {
    ...http503,
    taken: { by: 'Tomás Ruiz', afterMinutes: 3, note: 'Our payment provider has an outage.' },
  }),
  slow(9 * DAY, 75),
  down(38 * DAY, 41, timeout),
]

type Page = [name: string, path: string, usualMs: number, extra?: Extra]

const limit = (degradedThresholdMs: number) => ({
  degradedThresholdMs,
  degradedThresholdMode: 'LAST',
})

const PAGES: readonly Page[] = [
  ['Website', 'www.acme.example/', 118, { disruptions: [slow(21 * DAY, 55)] }],
  [
    'Shop',
    'shop.acme.example/',
    164,
    {
      more: limit(900),
      disruptions: [down(3 * DAY + 188, 16), slow(16 * DAY, 130)],
    },
  ],
  ['Checkout', 'shop.acme.example/checkout/health', 210, { disruptions: CHECKOUT }],
  ['Cart', 'shop.acme.example/cart/health', 96, { disruptions: [down(3 * DAY + 187, 14)] }],
  [
    'Public API',
    'api.acme.example/v2/health',
    84,
    {
      more: { ...limit(600), intervalSeconds: 30 },
      disruptions: [down(26 * DAY, 9, refused), slow(5 * DAY + 300, 48)],
    },
  ],
  [
    'Search API',
    'api.acme.example/v2/search?q=vane',
    190,
    {
      more: limit(500),
      disruptions: [
        { state: 'DEGRADED', minutesAgo: 52 },
        slow(4 * DAY, 66),
        slow(11 * DAY, 33),
        down(47 * DAY, 22, timeout),
      ],
    },
  ],
  [
    'Partner API',
    'partners.acme.example/health',
    142,
    {
      disruptions: [down(13 * DAY, 64, refused), down(61 * DAY, 27)],
    },
  ],
  [
    'Sign-in',
    'login.acme.example/health',
    73,
    {
      disruptions: [
        down(2 * DAY + 400, 12, {
          ...timeout,
          taken: {
            by: 'Mei Lin',
            afterMinutes: 4,
            note: 'Failed over the session store manually.',
          },
        }),
      ],
    },
  ],
  ['Account service', 'login.acme.example/accounts/health', 66],
  ['Admin panel', 'admin.acme.example/', 231, { disruptions: [slow(33 * DAY, 240)] }],
  ['Image delivery', 'img.acme.example/probe.webp', 38, { disruptions: [slow(7 * DAY, 20)] }],
  ['Documentation', 'docs.acme.example/', 58],
  ['Help center', 'help.acme.example/', 312, { disruptions: [down(54 * DAY, 95, timeout)] }],
  ['Blog', 'blog.acme.example/', 129],
  ['Mobile gateway', 'mobile.acme.example/health', 91, { disruptions: [down(18 * DAY, 6)] }],
  [
    'Payments gateway',
    'pay.acme.example/health',
    178,
    {
      more: limit(1200),
      disruptions: [down(3 * DAY + 193, 24), slow(29 * DAY, 41)],
    },
  ],
  ['PDF invoices', 'pay.acme.example/invoices/health', 402],
  ['Old storefront', 'old.acme.example/', 260, { isPaused: true }],
]

function web({ https }: Addresses): Watched[] {
  return PAGES.map(([name, path, usualMs, extra = {}]) => {
    const url = `https://${path}`.replace('acme.example', `acme.example:${https}`)
    return watched('HTTP', name, { url }, { usualMs, ...extra })
  })
}

function words(at: Addresses): Watched[] {
  const url = (path: string) => `https://shop.acme.example:${at.https}/${path}`
  return [
    watched(
      'KEYWORD',
      'Home page prices',
      { url: url('prices'), keyword: 'EUR' },
      {
        usualMs: 173,
        disruptions: [
          down(23 * DAY, 31, { code: 'KEYWORD_MISSING', cause: 'Keyword "EUR" not found' }),
        ],
      },
    ),
    watched(
      'KEYWORD',
      'Sign-in form',
      { url: url('sign-in'), keyword: 'Password' },
      { usualMs: 88 },
    ),
    watched(
      'KEYWORD',
      'No error banner in the shop',
      { url: url('banner'), keyword: 'temporarily unavailable', keywordMatch: 'NOT_EXISTS' },
      { usualMs: 151 },
    ),
  ]
}

function machines(at: Addresses): Watched[] {
  const port = (name: string, host: string, number: number, extra: Extra = {}) =>
    watched('PORT', name, { host, port: number }, { usualMs: 4, ...extra })
  return [
    watched('PING', 'Load balancer Frankfurt', { host: 'lb-fra.acme.example' }, { usualMs: 7 }),
    watched('PING', 'Load balancer Dublin', { host: 'lb-dub.acme.example' }, { usualMs: 24 }),
    watched(
      'PING',
      'VPN gateway',
      { host: 'vpn.acme.example' },
      {
        usualMs: 12,
        disruptions: [down(8 * DAY, 13, { code: 'PING_NO_REPLY', cause: 'No reply to 3 pings' })],
      },
    ),
    port('PostgreSQL primary', 'db-1.acme.example', at.postgres),
    port('PostgreSQL replica', 'db-2.acme.example', at.postgres, {
      disruptions: [down(44 * DAY, 58, refused)],
    }),
    port('Redis', 'cache.acme.example', at.redis, {
      disruptions: [down(2 * DAY + 402, 10, refused)],
    }),
    port('SMTP relay', 'mail.acme.example', at.smtp),
  ]
}

function jobs(): Watched[] {
  const job = (name: string, expectedPeriodSec: number, extra: Extra = {}) =>
    watched('CRON', name, { expectedPeriodSec, graceSeconds: 600 }, extra)
  const missed = { code: 'HEARTBEAT_MISSED' as const, cause: 'No ping in time' }
  return [
    job('Nightly backup', 86_400, { disruptions: [down(31 * DAY, 410, missed)] }),
    job('Hourly invoices', 3600, { disruptions: [down(12 * DAY, 62, missed)] }),
    job('Search index', 900),
    job('Warehouse stock sync', 300, { disruptions: [down(19 * DAY, 25, missed)] }),
    job('Newsletter queue', 1800, {
      disruptions: [
        {
          state: 'DOWN',
          minutesAgo: 96,
          code: 'HEARTBEAT_FAILED',
          cause: 'The job reported a failure (exit code 1)',
          excerpt: 'smtp: 421 4.7.0 too many connections, 1,204 emails waiting',
        },
      ],
    }),
  ]
}

function names(at: Addresses): Watched[] {
  const dns = (name: string, url: string, dnsRecordType: string) =>
    watched('DNS', name, { url, dnsRecordType, intervalSeconds: 300 }, { usualMs: 9 })
  const ssl = (name: string, host: string, port: number) =>
    watched(
      'SSL',
      name,
      { url: `${host}:${port}`, intervalSeconds: 3600, sslExpiryThresholdDays: 14 },
      { usualMs: 21 },
    )
  const domain = (url: string) =>
    watched('DOMAIN', url, { url, intervalSeconds: 86_400, sslExpiryThresholdDays: 30 })
  return [
    dns('acme.example, address', 'acme.example', 'A'),
    dns('acme.example, mail', 'acme.example', 'MX'),
    dns('api.acme.example, alias', 'api.acme.example', 'CNAME'),
    ssl('Shop certificate', 'shop.acme.example', at.https),
    ssl('Partner certificate', 'partners.acme.example', at.httpsExpiring),
    domain('acme.example'),
    domain('acme-labs.example'),
  ]
}

export function listWatched(at: Addresses): Watched[] {
  return [...web(at), ...words(at), ...machines(at), ...jobs(), ...names(at)]
}
