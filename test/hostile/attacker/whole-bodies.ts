// Complete bodies, as large as each operation accepts, in the shapes that cost the most to parse and to validate.
import { bodyLimitsOf } from '../../../tools/body-limits.ts'
import type { Attack, Grounds, Run, Tally } from './grounds.ts'
import { SHAPES } from './largest-shapes.ts'
import { count, type Hits, inBursts, openHits } from './load.ts'

type Send = (hits: Hits, grounds: Grounds, json: string) => ReturnType<Hits['bare']>
type Way = { bodies: readonly string[]; send: Send }

const BINDINGS = 5_000
const TOO_LARGE_BYTES = 2 * 1024 * 1024 - 1024
const UNKNOWN_ID = '01m7ef2j5re008007k9b361f3r'
// What an operation says of a body that it has not parsed.
const UNREAD = /must be at most \d+ [KM]iB|has too many values/

const shapesOf = (operationId: string): string[] =>
  SHAPES.map((shape) => shape(bodyLimitsOf(operationId)))

const byKey =
  (method: string, path: (grounds: Grounds) => string): Send =>
  (hits, grounds, json) =>
    hits.byKey({ method, path: path(grounds), json })

const bySession =
  (cookie: (grounds: Grounds) => string, path: string): Send =>
  (hits, grounds, json) => {
    const target = `/organizations/${grounds.orgId}/${path}`
    return hits.bySession(cookie(grounds), { method: 'POST', path: target, json })
  }

const putBindings: Send = (hits, { keys }, json) =>
  hits.bare({
    method: 'PUT',
    path: '/api/ext/v1/sources/whole/bindings',
    headers: { 'X-API-Key': keys.at(-1) ?? '' },
    json,
  })

const escaped = (text: string): string =>
  text.replaceAll(/./g, (c) => `\\u00${c.charCodeAt(0).toString(16)}`)

/** Valid but for their revision: they are read to the end. The second writes each character in six bytes. */
function bindings(): string[] {
  const [digest, id] = ['d'.repeat(200), null]
  const rows = Array.from({ length: BINDINGS }, (_, number) => {
    const address = `a.${String(number).padStart(198, 'a')}`
    return { address, id, digest }
  })
  const plain = JSON.stringify({ revision: 1, bindings: rows })
  return [plain, plain.replaceAll(/(?<=")[a-z.0-9]{3,}(?=")/g, escaped)]
}

function buildWays(): readonly Way[] {
  const way = (operationId: string, send: Send): Way => ({ bodies: shapesOf(operationId), send })
  return [
    way(
      'createMonitor',
      byKey('POST', () => '/monitors'),
    ),
    way(
      'updateMonitor',
      byKey('PATCH', ({ monitorIds }) => `/monitors/${monitorIds[0]}`),
    ),
    // By the session of a member who may only read.
    way(
      'previewStatusPage',
      bySession(({ readers }) => readers.wholeBodies, 'status-page-drafts'),
    ),
    way(
      'createStatusPage',
      byKey('POST', () => '/status-pages'),
    ),
    way(
      'updateStatusPage',
      byKey('PATCH', ({ lockedPageId }) => `/status-pages/${lockedPageId}`),
    ),
    way(
      'createMaintenanceWindow',
      byKey('POST', () => '/maintenance-windows'),
    ),
    way(
      'updateMaintenanceWindow',
      byKey('PATCH', () => `/maintenance-windows/mw_${UNKNOWN_ID}`),
    ),
    {
      bodies: [JSON.stringify({ csv: '\n'.repeat(1_000_000) })],
      send: bySession(({ owners }) => owners.imports, 'monitor-import-previews'),
    },
    { bodies: bindings(), send: putBindings },
    // Larger than accepted: received and dropped.
    {
      bodies: [`{"name":"${'a'.repeat(TOO_LARGE_BYTES)}"}`],
      send: byKey('POST', () => '/monitors'),
    },
  ]
}

let ways: readonly Way[] | undefined

async function sendWhole({ grounds, endMs }: Run): Promise<Tally> {
  ways ??= buildWays()
  const all = ways
  const hits = openHits(grounds, 'whole')
  await inBursts({ size: 6, everyMs: 500, endMs }, async (number) => {
    const { bodies = [], send } = all[number % all.length] ?? {}
    const json = bodies[Math.floor(number / all.length) % bodies.length] ?? ''
    const { status, text } = (await send?.(hits, grounds, json)) ?? { status: 0, text: '' }
    if (status === 429 || status === 0) return
    count(hits.tally, UNREAD.test(text) ? 'body unread' : 'body read')
  })
  hits.close()
  return hits.tally
}

/** Each operation once: the first request to one compiles its schema. */
async function prepare(run: Run): Promise<void> {
  await sendWhole({ ...run, endMs: Date.now() + 1_000 })
}

export const wholeBodies: Attack = { prepare, attack: sendWhole }
