// How large are the metrics of 5,000 monitors, and how long does a scrape take, beside a bare query of the same rows?
// Over HTTP with gzip, one scraper, on one process.
import { get } from 'node:http'
import { parseArgs } from 'node:util'
import { gunzipSync } from 'node:zlib'
import pg from 'pg'
import { type ProductFixture, startProduct } from '../test/kit/fixture.ts'
import { toUuid } from '../test/kit/ids.ts'
import { percentile } from './harness.ts'
import { fillHistory } from './history-rows.ts'
import { describeMachine, watchBusyness } from './machine.ts'
import { print, printJson, printRun, table } from './report.ts'

const GOAL_MS = 300
const GOAL_BYTES = 8_000_000
const GOAL_GZIP_BYTES = 1_000_000
const PATHS = ['/prometheus/metrics', '/compat/uptime-kuma/metrics']
// The rows that a scrape shows, as little work as possible.
const BARE = `
  select m.no, m.id, m.name, m.type, m.url, m.host, m.port, s.state, s.last_response_ms, s.last_checked_at,
         s.cert_expires_at, s.domain_expires_at
    from monitors m join monitor_states s on s.monitor_no = m.no where m.org_id = $1 order by m.no`

const { values } = parseArgs({
  options: {
    monitors: { type: 'string', default: '5000' },
    scrapes: { type: 'string', default: '200' },
  },
})
const monitors = Number(values.monitors)
const scrapes = Number(values.scrapes)

const fixture = await startProduct({ env: { LOG_LEVEL: 'error' } })
try {
  await main(fixture)
} finally {
  await fixture.stop()
}

async function main(product: ProductFixture): Promise<void> {
  const client = new pg.Client({ connectionString: product.stack.databaseUrl })
  await client.connect()
  try {
    await fill(product, client)
    const busy = watchBusyness()
    const figures: Figure[] = []
    for (const path of PATHS) figures.push(await measure(product, client, path))
    report(figures, busy())
  } finally {
    await client.end()
  }
}

async function fill({ stack, orgId }: ProductFixture, client: pg.Client): Promise<void> {
  const size = { monitors, days: 90, rawDays: 1, denseMonitors: 5, sparseMinutes: 240 }
  const owner = { orgId: toUuid(orgId), masterKeys: stack.env['MASTER_KEYS'] ?? '' }
  await fillHistory(client, owner, { ...size, sparseHourDays: 1 })
  await client.query('analyze')
}

type Figure = {
  path: string
  firstMs: number
  p50: number
  p99: number
  bareP50: number
  bareP99: number
  bytes: number
  gzipBytes: number
}

async function measure(product: ProductFixture, client: pg.Client, path: string): Promise<Figure> {
  const url = `${product.service.baseUrl}${path}`
  const org = toUuid(product.orgId)
  const first = await timed(() => scrape(url, product.keys.readOnly))
  const [ours, bare]: [number[], number[]] = [[], []]
  // Alternating, so a busy minute of the machine affects both.
  for (let turn = 0; turn < scrapes; turn++) {
    ours.push((await timed(() => scrape(url, product.keys.readOnly))).ms)
    bare.push((await timed(() => client.query({ name: 'bare', text: BARE, values: [org] }))).ms)
  }
  return {
    path,
    firstMs: first.ms,
    p50: percentile(ours, 0.5),
    p99: percentile(ours, 0.99),
    bareP50: percentile(bare, 0.5),
    bareP99: percentile(bare, 0.99),
    bytes: gunzipSync(first.result).length,
    gzipBytes: first.result.length,
  }
}

async function timed<T>(work: () => Promise<T>): Promise<{ ms: number; result: T }> {
  const startedMs = performance.now()
  const result = await work()
  return { ms: performance.now() - startedMs, result }
}

function scrape(url: string, key: string): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  get(url, { headers: { 'X-API-Key': key, 'Accept-Encoding': 'gzip' } }, (response) => {
    const chunks: Buffer[] = []
    response.on('data', (chunk: Buffer) => chunks.push(chunk))
    response.on('error', reject)
    response.on('end', () => {
      if (response.statusCode === 200) resolve(Buffer.concat(chunks))
      else reject(new Error(`${response.statusCode} ${Buffer.concat(chunks)}`))
    })
  }).on('error', reject)
  return promise
}

function report(figures: readonly Figure[], busy: Parameters<typeof printRun>[0]['busy']): void {
  const setting = { ...describeMachine(), monitors, scrapes }
  printRun({ question: `Does a scrape take at most ${GOAL_MS} ms at p99?`, setting, busy })
  const head = ['path', 'first ms', 'p50 ms', 'p99 ms', 'bare p50', 'bare p99', 'kB', 'gzip kB']
  const rows = figures.map((figure) => [
    figure.path,
    ...[figure.firstMs, figure.p50, figure.p99, figure.bareP50, figure.bareP99].map((ms) =>
      ms.toFixed(1),
    ),
    ...[figure.bytes, figure.gzipBytes].map((bytes) => (bytes / 1000).toFixed(0)),
  ])
  print(table([head, ...rows]))
  const missed = figures.flatMap(({ path, p99, bytes, gzipBytes }) => [
    ...(p99 > GOAL_MS ? [`${path}: p99 ${p99.toFixed(1)} ms`] : []),
    ...(bytes > GOAL_BYTES ? [`${path}: ${bytes} bytes`] : []),
    ...(gzipBytes > GOAL_GZIP_BYTES ? [`${path}: ${gzipBytes} bytes with gzip`] : []),
  ])
  for (const line of missed) print(`MISSED: ${line}`)
  printJson({ setting, figures, passed: missed.length === 0 })
  if (missed.length > 0) process.exitCode = 1
}
