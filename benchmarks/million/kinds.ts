// What the monitors check: every type, in shares like those of a real installation. Pure.
import {
  MONITOR_TYPES,
  type MonitorSettings,
  type MonitorType,
} from '../../src/domain/monitors/monitor.ts'
import { type Grid, phaseMs } from '../../src/domain/monitors/schedule.ts'
import { sampleSettings } from '../../test/samples/monitor.ts'

export type Ports = { http: number; https: number }

type MonitorKind = {
  type: MonitorType
  /** In thousandths of all monitors. */
  share: number
  settings(place: Place): Partial<MonitorSettings>
}
type Place = {
  /** A loopback address of the target. */
  host: string
  /** Names the slot, so that the target can tell how late a check is. */
  path: string
  ports: Ports
  intervalSeconds: number
}

const ADDRESSES = 20
const WHOLE = 1000
// Coprime to 1000, so that kinds alternate and each part of the monitors has all of them.
const STRIDE = 617
const TIMEOUT_SECONDS = 10
const MIN_PERIOD_SECONDS = 60

const KINDS: readonly MonitorKind[] = [
  {
    type: 'HTTP',
    share: 400,
    settings: ({ host, path, ports }) => ({ url: `http://${host}:${ports.http}${path}` }),
  },
  {
    type: 'HTTP',
    share: 100,
    settings: ({ host, path, ports }) => ({ url: `https://${host}:${ports.https}${path}` }),
  },
  {
    type: 'KEYWORD',
    share: 100,
    settings: ({ host, path, ports }) => ({
      url: `http://${host}:${ports.http}${path}`,
      keyword: 'ok',
    }),
  },
  { type: 'PORT', share: 120, settings: ({ host, ports }) => ({ host, port: ports.http }) },
  { type: 'PING', share: 20, settings: ({ host }) => ({ host }) },
  { type: 'DNS', share: 100, settings: () => ({ url: 'dns.test' }) },
  { type: 'SSL', share: 50, settings: ({ ports }) => ({ url: `ssl.test:${ports.https}` }) },
  { type: 'DOMAIN', share: 10, settings: () => ({ url: 'example.com' }) },
  {
    type: 'CRON',
    share: 100,
    settings: ({ intervalSeconds }) => {
      const periodSeconds = Math.max(MIN_PERIOD_SECONDS, intervalSeconds)
      return { expectedPeriodSec: periodSeconds, graceSeconds: periodSeconds }
    },
  },
]

/** The settings of a monitor, counted from 0. */
export function settingsOf(monitor: number, grid: Grid, ports: Ports): MonitorSettings {
  const { type, settings } = kindOf(monitor)
  const { intervalSeconds } = grid
  const place = {
    host: `127.0.0.${1 + (monitor % ADDRESSES)}`,
    path: `/at/${phaseMs(grid)}/${intervalSeconds * 1000}`,
    ports,
    intervalSeconds,
  }
  return sampleSettings({
    name: nameOf(monitor),
    type,
    url: null,
    verifySsl: false,
    intervalSeconds,
    timeoutSeconds: TIMEOUT_SECONDS,
    ...settings(place),
  })
}

export const BATCH = 10_000

/** Names a batch of monitors too, because one change in bulk has at most that many. */
function nameOf(monitor: number): string {
  return `${batchName(Math.floor(monitor / BATCH))}${String(monitor).padStart(7, '0')}`
}

export const batchName = (batch: number): string => `batch-${String(batch).padStart(3, '0')}-`

function kindOf(monitor: number): MonitorKind {
  let left = (monitor * STRIDE) % WHOLE
  for (const kind of KINDS) {
    if (left < kind.share) return kind
    left -= kind.share
  }
  throw new Error('The shares of the kinds are not a whole')
}

/** Types that no monitor would have; empty unless a type was added. */
export function missingTypes(): MonitorType[] {
  return MONITOR_TYPES.filter((type) => !KINDS.some((kind) => kind.type === type))
}
