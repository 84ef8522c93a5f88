// NATS over a WebSocket with TLS by an authority of our own, straight and through a proxy, as from a network that permits
// HTTPS only.
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createServer } from 'node:tls'
import { createAuthority } from '../../../test/kit/targets/certificates.ts'
import { type ConnectProxy, startConnectProxy } from '../../../test/kit/targets/connect-proxy.ts'
import { type Listening, listen } from '../../../test/kit/targets/listen.ts'
import { type Nats, startNats } from '../../../tools/services/nats.ts'
import { findFreePort } from '../../../tools/services/ports.ts'
import type { Bus, Job, JobResult, ProbeResult } from '../bus.ts'
import { openNatsBus } from '../nats-bus.ts'
import { packJobs } from '../packing.ts'

const WAIT = { timeout: 90_000 }
const HOST = 'upvane.test'
const PLACE = { region: 'eu', probe: 'eu-1' }

test(
  'jobs of every size and their results, through a proxy that asks for a password',
  WAIT,
  async () => {
    await using held = await hold()
    const [owner, probe] = [await held.open(), await held.open()]
    await probe.serveJobs(PLACE, ({ jobs, reply }) => {
      reply(jobs.map(resultOf))
      return 'accepted'
    })
    // The largest fills a message of its own.
    const jobs = [10, 1000, 60_000, 900_000].flatMap((size) =>
      Array.from({ length: 20 }, (_, index) => jobOf(`${size}-${index}`, size)),
    )
    const received: string[] = []
    const onResults = (results: JobResult[]) => void received.push(...results.map(({ id }) => id))
    for (const packet of packJobs(jobs).packets)
      assert.equal(await owner.sendJobs('eu', packet, onResults), 'accepted')
    await until(() => received.length >= jobs.length, 20_000)
    assert.deepEqual(received.toSorted(), jobs.map(({ id }) => id).toSorted())
    assert.ok(held.proxy.asked.length > 0)
    assert.deepEqual([...new Set(held.proxy.asked)], [`${HOST}:443 200`])
  },
)

test('a server that is killed, or stands still, is left and found again', WAIT, async (t) => {
  await using held = await hold()
  const bus = await held.open()
  await bus.serveRequests('check.1', (body) => body)
  const works = async () => (await bus.request('check.1', 1, 500)).kind === 'answer'
  assert.ok(await works())

  await held.nats.kill()
  await until(() => !bus.isConnected(), 2000)
  await held.nats.restart()
  await untilAsync(works, 10_000)

  process.kill(held.nats.pid, 'SIGSTOP')
  const startMs = performance.now()
  // More than the network takes from us while nobody reads.
  for (let i = 0; i < 40; i++) void bus.request('check.1', 'y'.repeat(900_000), 100)
  await until(() => !bus.isConnected(), 20_000)
  t.diagnostic(`left after ${Math.round(performance.now() - startMs)} ms`)
  process.kill(held.nats.pid, 'SIGCONT')
  await untilAsync(works, 20_000)
})

test('closing ends at once while the server stands still', WAIT, async () => {
  await using held = await hold()
  const bus = await held.open()
  process.kill(held.nats.pid, 'SIGSTOP')
  const startMs = performance.now()
  await bus.close()
  process.kill(held.nats.pid, 'SIGCONT')
  assert.ok(performance.now() - startMs < 10_000)
})

test('what goes wrong on the way is named', WAIT, async () => {
  await using held = await hold()
  const { url, ca, proxy } = held
  const open = (changes: object) => openNatsBus({ url, ca, proxy: via(proxy), onError, ...changes })
  const general = via(proxy).own
  await assert.rejects(open({ ca: createAuthority().root }), /certificate/i)
  await assert.rejects(open({ ca: undefined }), /certificate/i)
  await assert.rejects(open({ proxy: via(proxy, 'probe:wrong') }), /HTTP 407.+NATS_PROXY/)
  await assert.rejects(open({ url: `wss://${HOST}:4222/probe` }), /does not connect to .+ HTTP 403/)
  await assert.rejects(
    open({ proxy: { own: 'http://127.0.0.1:1', general: undefined, except: '' } }),
    /The proxy 127\.0\.0\.1:1 cannot be used: .*ECONNREFUSED/,
  )
  // Not through the proxy, and the name leads nowhere.
  const excepted = { own: undefined, general, except: 'localhost, .test' }
  await assert.rejects(open({ proxy: excepted }), /ENOTFOUND|EAI_AGAIN/)
  const wanted = { own: undefined, general, except: 'localhost' }
  await (await open({ proxy: wanted })).close()
  await held.nats.stop()
  await assert.rejects(open({}), /does not open a WebSocket at \/probe/)
})

test('a web server that knows nothing of NATS: its status is named', WAIT, async (t) => {
  const { createServer: createPlain } = await import('node:http')
  const server = createPlain((_, response) => response.writeHead(404).end())
  const { port, close } = await listen(server)
  t.after(close)
  await assert.rejects(
    openNatsBus({ url: `ws://127.0.0.1:${port}/probe`, onError }),
    /127\.0\.0\.1:\d+ does not open a WebSocket at \/probe: HTTP 404/,
  )
})

function onError(): void {}

const via = ({ port, user, password }: ConnectProxy, signIn?: string) => ({
  own: `http://${signIn ?? `${user}:${encodeURIComponent(password)}`}@127.0.0.1:${port}`,
  general: undefined,
  except: '',
})

type Held = {
  nats: Nats
  url: string
  ca: string
  proxy: ConnectProxy
  open(): Promise<Bus>
  [Symbol.asyncDispose](): Promise<void>
}

async function hold(): Promise<Held> {
  const webPort = await findFreePort()
  const config = `max_payload: 4MB\nwebsocket { listen: "127.0.0.1:${webPort}", no_tls: true }\n`
  const nats = await startNats({ config })
  const authority = createAuthority()
  const { root: ca } = authority
  const front = await startFront(authority.issue(HOST, { san: `DNS:${HOST}` }), webPort)
  authority.remove()
  const places = { [`${HOST}:443`]: { host: '127.0.0.1', port: front.port } }
  const proxy = await startConnectProxy({ places })
  const url = `wss://${HOST}/probe`
  const buses: Bus[] = []
  return {
    nats,
    url,
    ca,
    proxy,
    async open() {
      const bus = await openNatsBus({ url, ca, proxy: via(proxy), onError })
      buses.push(bus)
      return bus
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(buses.map((bus) => bus.close()))
      await Promise.all([nats.stop(), proxy.close(), front.close()])
    },
  }
}

/** Ends TLS, as a web server in front does. */
function startFront(identity: { key: string; cert: string }, port: number): Promise<Listening> {
  const server = createServer(identity, (client) => {
    const target = connect({ host: '127.0.0.1', port })
    client.on('error', () => target.destroy()).pipe(target)
    target.on('error', () => client.destroy()).pipe(client)
    target.once('close', () => client.destroy())
  })
  return listen(server)
}

async function until(isTrue: () => boolean, timeoutMs: number): Promise<void> {
  await untilAsync(async () => isTrue(), timeoutMs)
}

async function untilAsync(isTrue: () => Promise<boolean>, timeoutMs: number): Promise<void> {
  const deadlineMs = performance.now() + timeoutMs
  while (!(await isTrue())) {
    assert.ok(performance.now() < deadlineMs, `not within ${timeoutMs} ms: ${isTrue}`)
    await sleep(10)
  }
}

function jobOf(id: string, size: number): Job {
  const target = { type: 'HTTP', requestBody: 'x'.repeat(size) }
  return { id, orgId: 'org_1', attempt: 1, budgetMs: 10_000, target }
}

function resultOf({ id }: Job): ProbeResult {
  return { id, acceptedToStartMs: 1, startedToEndMs: 12, attempt: { outcome: 'OK' } }
}
