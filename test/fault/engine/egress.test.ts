// Nothing answers: the targets are down, or our own network is. Each case has the whole product in a network namespace
// with addresses that are public by the outbound guard.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createServer as createHttpServer } from 'node:http'
import { createServer } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Environment, startStack } from '../../../tools/stack.ts'
import { Client } from '../../kit/client.ts'
import { openDatabase } from '../../kit/database.ts'
import { type Script, startDnsServer } from '../../kit/targets/dns-server.ts'
import { type Listening, listen } from '../../kit/targets/listen.ts'
import { canUseNamespaces, isInside, runInNamespaceMeanwhile } from '../../kit/targets/namespace.ts'

const DOUBT_SECONDS = Number(process.env['EGRESS_DOUBT_SECONDS'] ?? 12)
const CUT_SECONDS = Number(process.env['EGRESS_CUT_SECONDS'] ?? 20)
const LIMIT_SECONDS = Number(process.env['TEST_TIMEOUT_SECONDS'] ?? 540)
const MONITORS = 40
const PLENTY = 1_000_000
// More than outages wait for others.
const WAIT_MS = 200_000
const POLL_MS = 100
// Schedulers look for addresses to ask every ten seconds until they know some.
const SAMPLED_MS = 12_000
// Two attempts of one second, the pause between them, and three seconds until no address has answered.
const CHECK_MS = 8_000
const HOLD_SECONDS = 4
const QUIET_MS = 5_000

const CENTER = [1, 2, 3, 4].map((network) => `11.22.${network}.10`)
const CONTROL = '13.1.1.1'
const LAN = '10.0.0.1'
const DEAD_LAN = '10.0.0.2'
const REFUSING = '11.22.9.10'
const SETUP = [
  'ip link set lo up',
  ...[...CENTER, CONTROL, LAN, DEAD_LAN, REFUSING].map((one) => `ip addr add ${one}/32 dev lo`),
  'nft add table inet t',
  'nft add chain inet t out "{ type filter hook output priority 0; }"',
]

const CASES = ['a data center is down', 'a control target answers', 'the line is cut'] as const

if (!isInside()) {
  const skip = !canUseNamespaces() && 'needs root and network namespaces'
  describe('nothing answers', { concurrency: true, skip }, () => {
    for (const only of CASES)
      test(`inside a namespace of its own: ${only}`, async (t) => {
        const run = { setup: SETUP, only, timeoutSeconds: LIMIT_SECONDS }
        const { passed, failed, output } = await runInNamespaceMeanwhile(import.meta.filename, run)
        for (const [line] of output.matchAll(
          /^ℹ (?!tests|suites|pass|fail|canc|skip|todo|dur).*$/gm,
        ))
          t.diagnostic(line.slice(2))
        assert.deepEqual([failed, passed > 0], [0, true], output)
      })
  })
} else runInside()

function runInside(): void {
  const [isDown, isControlled, isCut] = CASES

  test(`${isDown}: alerted when the doubt ends, with the true start, in one message`, async (t) => {
    const world = await openWorld(t)
    await world.create(MONITORS, (i) => urlOf(CENTER[i % CENTER.length] ?? '', world.port))
    await sleep(SAMPLED_MS)
    const cutMs = await world.cut(CENTER)
    await world.told('No answer')
    const toldMs = Date.now() - cutMs
    // Checks that this machine's own stalls spoil are repeated for a minute and more.
    await world.everythingIs('DOWN', MONITORS)
    const downMs = Date.now() - cutMs
    t.diagnostic(`told after ${toldMs} ms, all DOWN after ${downMs} ms, doubt ${DOUBT_SECONDS} s`)
    assert.ok(toldMs >= DOUBT_SECONDS * 1000, 'failures counted in doubt')
    assert.ok(toldMs < (DOUBT_SECONDS + 60) * 1000, `${toldMs} ms`)
    for (const startedMs of await world.starts())
      assert.ok(startedMs >= cutMs && startedMs < cutMs + CHECK_MS, `${startedMs - cutMs} ms`)

    await world.heal()
    await world.everythingIs('UP', MONITORS)
    await world.told(`${MONITORS} monitors are up again`)
    await sleep(QUIET_MS)
    // On a busy machine some join after the message.
    assert.match(world.titles[0] ?? '', /^No answer from (any|\d+) of your 40 monitors$/)
    assert.equal(world.titles.length, 2, world.titles.join(', '))
    assert.equal(await world.events('monitor.down'), MONITORS)
    assert.equal(await world.events('incident.opened'), MONITORS)
    assert.deepEqual(await world.doubts(), [true])
  })

  test(`${isControlled}: alerted within one check, without a doubt`, async (t) => {
    const control = await listen(createServer(), CONTROL)
    t.after(control.close)
    const world = await openWorld(t, { PROBE_CONTROL_TARGETS: `${CONTROL}:${control.port}` })
    await world.create(MONITORS, (i) => urlOf(CENTER[i % CENTER.length] ?? '', world.port))
    await sleep(SAMPLED_MS)
    const cutMs = await world.cut(CENTER)
    await world.everythingIs('DOWN', MONITORS)
    const downMs = Date.now() - cutMs
    t.diagnostic(`${MONITORS} monitors DOWN after ${downMs} ms`)
    assert.ok(downMs < DOUBT_SECONDS * 1000, `${downMs} ms`)
    assert.deepEqual(await world.doubts(), [])
    await world.told('monitors are down')
    assert.ok(!world.titles.join().includes('No answer'))
  })

  test(`${isCut}: by name behind a caching resolver, with local monitors passing: one message`, async (t) => {
    const cut = { isCut: false }
    const dns = await startDnsServer(cachingResolver(cut))
    t.after(() => dns.close())
    const world = await openWorld(t, { PROBE_DNS_SERVERS: dns.address })
    const name = (i: number) => `n${i % CENTER.length}.cached.test`
    await world.create(MONITORS, (i) => urlOf(name(i), world.port))
    await world.create(4, () => urlOf(LAN, world.port))
    const refused = await world.createOne(urlOf(REFUSING, world.port))
    const silent = await world.createOne(urlOf(DEAD_LAN, world.port))
    await sleep(SAMPLED_MS)

    // Refused connections and private targets raise no doubt.
    await refused.stop()
    await world.drop([DEAD_LAN])
    await world.due()
    await world.everythingIs('DOWN', 2)
    assert.deepEqual(await world.doubts(), [])
    await silent.stop()
    await world.told('down', 2)
    const before = world.titles.length

    cut.isCut = true
    const cutMs = await world.cut([...CENTER, REFUSING])
    await world.everythingIs('DOWN', MONITORS + 2)
    t.diagnostic(`DOWN after ${Date.now() - cutMs} ms of a cut of ${CUT_SECONDS} s`)
    await sleep(Math.max(0, cutMs + CUT_SECONDS * 1000 - Date.now()))
    await world.told('No answer from')
    cut.isCut = false
    await world.heal()
    await world.everythingIs('UP', MONITORS + 4)
    await world.told(`${MONITORS} monitors are up again`)
    await sleep(QUIET_MS)
    const said = world.titles.slice(before)
    assert.match(said[0] ?? '', /^No answer from \d+ of your 46 monitors$/)
    assert.equal(said.length, 2, said.join(', '))
    assert.deepEqual(await world.doubts(), [true])
    const [pause] = await world.outages()
    assert.ok(pause !== undefined, 'deadlines of heartbeats did not wait')
    t.diagnostic(`deadlines of heartbeats waited for ${pause.toFixed(1)} s`)
  })
}

const urlOf = (host: string, port: number) => `http://${host}:${port}/`

/** What is in its cache stays there while the line is cut; for other names its own servers do not answer. */
function cachingResolver(line: { isCut: boolean }): Script {
  return ({ name, type }) => {
    const [, number] = /^n(\d)\.cached\.test$/.exec(name) ?? []
    if (number === undefined) return line.isCut ? 'SERVFAIL' : undefined
    if (type !== 'A') return { answers: [] }
    return { answers: [{ type: 'A', name, data: CENTER[Number(number)] ?? '' }] }
  }
}

type Target = { id: string; stop(): Promise<void> }

async function openWorld(t: TestContext, env: Environment = {}) {
  const titles: string[] = []
  const receiver = await listen(
    createHttpServer((request, response) => {
      const parts: Buffer[] = []
      request.on('data', (part: Buffer) => parts.push(part))
      request.on('end', () => {
        const { title } = JSON.parse(Buffer.concat(parts).toString()) as { title: string }
        titles.push(title)
        response.end()
      })
    }),
  )
  const pages: Listening[] = []
  const serve = () => createHttpServer((_, response) => response.end('fine'))
  // One port at every address, as the names lead to it.
  const everywhere = await listen(serve(), '0.0.0.0')
  pages.push(everywhere)
  const stack = await startStack({
    nats: false,
    ownPostgres: true,
    rateLimit: PLENTY,
    env: {
      LOG_LEVEL: 'info',
      REGION: 'home',
      EGRESS_DOUBT_SECONDS: String(DOUBT_SECONDS),
      ALERT_HOLD_SECONDS: String(HOLD_SECONDS),
      PROBE_ALLOW_CIDRS: '127.0.0.0/8,10.0.0.0/8',
      ...env,
    },
  })
  const service = await stack.start('start')
  const db = openDatabase(stack.databaseUrl)
  const api = new Client({ baseUrl: service.baseUrl, key: stack.keys.full, rateLimit: PLENTY })
  const contact = await api.post('/api/ext/v1/alert-contacts', {
    name: 'On call',
    channel: 'WEBHOOK',
    settings: { url: `http://127.0.0.1:${receiver.port}/` },
  })
  assert.equal(contact.status, 201, contact.text)

  const fields = { type: 'HTTP', intervalSeconds: 300, timeoutSeconds: 1 }
  const states = (state: string) => db.count('monitor_states', 'state = $1', [state])
  const everythingIs = async (state: string, count: number) => {
    const endMs = performance.now() + WAIT_MS + DOUBT_SECONDS * 1000
    while ((await states(state)) < count) {
      const seen = `${await states(state)} of ${count}`
      assert.ok(performance.now() < endMs, `${seen} are ${state}: ${titles.join(', ')}`)
      await sleep(POLL_MS)
    }
  }
  /** `least`: so many monitors are named or counted in these messages. */
  const told = async (words: string, least = 1) => {
    const endMs = performance.now() + WAIT_MS + DOUBT_SECONDS * 1000
    const countOf = (title: string) => Number(/^(\d+) monitors/.exec(title)?.[1] ?? 1)
    const count = () =>
      titles.filter((title) => title.includes(words)).reduce((sum, one) => sum + countOf(one), 0)
    while (count() < least) {
      assert.ok(performance.now() < endMs, `nobody was told "${words}": ${titles.join(', ')}`)
      await sleep(POLL_MS)
    }
  }
  const drop = async (addresses: readonly string[]) => {
    const rule = `nft add rule inet t out ip daddr { ${addresses.join(', ')} } drop`
    execFileSync('sh', ['-c', rule.replaceAll(/[{}]/g, '\\$&')])
  }
  const due = async () => {
    await db.run('update monitor_states set due_unread = true, next_due_at = now()')
  }
  let created = 0
  const create = async (count: number, url: (i: number) => string) => {
    const urls = Array.from({ length: count }, (_, i) => url(i))
    for (const [i, one] of urls.entries())
      await api.createMonitor({ ...fields, name: `Monitor ${created + i}`, url: one })
    created += count
    await everythingIs('UP', created)
  }
  t.after(async () => {
    api.close()
    await db.close()
    await stack.stop()
    await Promise.all([...pages, receiver].map(({ close }) => close().catch(() => undefined)))
  })
  return {
    titles,
    port: everywhere.port,
    create,
    everythingIs,
    told,
    drop,
    due,
    /** A monitor of an address that can be refused or silent by itself. */
    async createOne(url: string): Promise<Target> {
      const { hostname } = new URL(url)
      const own = await listen(serve(), hostname)
      pages.push(own)
      const monitor = await api.createMonitor({
        ...fields,
        name: hostname,
        url: urlOf(hostname, own.port),
      })
      created += 1
      await everythingIs('UP', created)
      return { id: monitor.id, stop: own.close }
    },
    /** From now on nothing reaches these addresses, and every monitor is checked. */
    async cut(addresses: readonly string[]): Promise<number> {
      const cutMs = Date.now()
      await drop(addresses)
      await due()
      return cutMs
    },
    async heal(): Promise<void> {
      execFileSync('nft', ['flush', 'chain', 'inet', 't', 'out'])
      await due()
    },
    async starts(): Promise<number[]> {
      const rows = await db.run<{ at: Date }>('select started_at as at from incidents')
      return rows.map(({ at }) => at.getTime())
    },
    events: (type: string) => db.count('events', 'type = $1', [type]),
    /** Of each doubt, whether it has ended. */
    async doubts(): Promise<boolean[]> {
      const rows = await db.run<{ ended: boolean }>(
        'select passed_at is not null as ended from region_doubts order by raised_at',
      )
      return rows.map(({ ended }) => ended)
    },
    async outages(): Promise<number[]> {
      const rows = await db.run<{ seconds: number }>(
        'select extract(epoch from ended_at - started_at)::float8 as seconds from ping_outages',
      )
      return rows.map(({ seconds }) => seconds)
    },
  }
}
