import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createServer, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { signWebhook } from '@upvane/sdk/webhooks'
import { Webhook } from 'standardwebhooks'
import { listen as listenOn } from '../../../test/kit/targets/listen.ts'
import { COMPILE_CACHE } from '../../../tools/compile-cache.ts'
import { findFreePort } from '../../../tools/services/ports.ts'
import { type Running, runUpv, startUpv } from '../../test/run-upv.ts'
import { CommandError } from '../command.ts'
import { parseLine } from '../shell/parse.ts'
import { listen } from './listen.ts'

const SECRET = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY='
const ESCAPE = '\u001b'
const OTHER = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

const event = (type: string, data: unknown, id = 'evt_01') =>
  JSON.stringify({ id, type, timestamp: '', apiVersion: 'v1', organizationId: 'org_x', data })
const DOWN = event('monitor.down', {
  monitor: { name: 'Shop', state: 'DOWN' },
  previousState: 'UP',
})

type Line = {
  kind: string
  id: string
  type: string
  about: string
  verified: boolean
  reason: string | null
  timesSeen: number
  answered: number
  forwardError: string | null
  event: unknown
}

/** Runs the command on a free port and stops it with the test. */
async function listening(t: TestContext, args: string[], env: Record<string, string> = {}) {
  const port = await findFreePort()
  const upv = startUpv(['listen', '--port', String(port), ...args], env)
  t.after(() => upv.stop('SIGKILL'))
  await upv.printed((stdout) => stdout.includes(`http://127.0.0.1:${port}/`))
  return { port, url: `http://127.0.0.1:${port}/`, upv }
}

async function send(url: string, body: string, headers: Record<string, string>) {
  const response = await fetch(url, { method: 'POST', body, headers })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

const signed = (body: string, secret = SECRET, id = 'evt_01') => signWebhook({ secret, id, body })

/** The deliveries that `--json` printed, once there are this many. */
async function deliveries(upv: Running, count: number): Promise<Line[]> {
  const read = (stdout: string) =>
    stdout
      .split('\n')
      .filter((line) => line.includes('"kind":"delivery"'))
      .map((line) => JSON.parse(line) as Line)
  return read(await upv.printed((stdout) => read(stdout).length >= count))
}

test('a delivery is verified, shown in one line and answered 204', async (t) => {
  const { url, upv } = await listening(t, [], { UPVANE_WEBHOOK_SECRET: SECRET })
  const answer = await send(url, DOWN, await signed(DOWN))
  assert.equal(answer.status, 204)
  const stdout = await upv.printed((text) => text.includes('monitor.down'))
  assert.match(
    stdout,
    /^\d\d:\d\d:\d\d {2}verified +monitor\.down +Shop: UP -> DOWN {2}\(evt_01, answered 204\)$/m,
  )
})

test('a signature by the independent library verifies too', async (t) => {
  const { url } = await listening(t, ['--secret', SECRET])
  const now = new Date()
  const headers = {
    'webhook-id': 'evt_01',
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': new Webhook(SECRET).sign('evt_01', now, DOWN),
  }
  assert.equal((await send(url, DOWN, headers)).status, 204)
})

test('a delivery that is not verified is shown with its reason and answered 400', async (t) => {
  const { url, upv } = await listening(t, ['--secret', SECRET])
  const headers = await signed(DOWN)
  assert.equal((await send(url, `${DOWN} `, headers)).status, 400)
  const stdout = await upv.printed((text) => text.includes('no_matching'))
  assert.match(stdout, /NOT VERIFIED +monitor\.down .*answered 400\)\n {4}no_matching_signature: /)
})

test('several secrets: each verifies, also from the environment', async (t) => {
  const byOption = await listening(t, ['--secret', OTHER, '--secret', SECRET])
  const byEnvironment = await listening(t, [], { UPVANE_WEBHOOK_SECRET: `${OTHER} ${SECRET}` })
  for (const { url } of [byOption, byEnvironment])
    for (const secret of [SECRET, OTHER])
      assert.equal((await send(url, DOWN, await signed(DOWN, secret))).status, 204)
})

test('without a secret nothing is called verified, and everything is taken', async (t) => {
  const { url, upv } = await listening(t, [])
  assert.equal((await send(url, DOWN, await signed(DOWN))).status, 204)
  const stdout = await upv.printed((text) => text.includes('monitor.down'))
  assert.match(stdout, /No secret was given: nothing can be verified\./)
  assert.match(stdout, /unchecked +monitor\.down/)
})

test('--json: the address, then one line for each delivery; repetitions are counted', async (t) => {
  const { url, upv } = await listening(t, ['--json', '--secret', SECRET])
  await send(url, DOWN, await signed(DOWN))
  await send(url, DOWN, await signed(DOWN))
  await send(url, 'hello', {})
  const [first, second, third] = await deliveries(upv, 3)
  const { receivedAt: _, ...rest } = first as Line & { receivedAt: string }
  assert.deepEqual(rest, {
    kind: 'delivery',
    id: 'evt_01',
    type: 'monitor.down',
    about: 'Shop: UP -> DOWN',
    verified: true,
    reason: null,
    timesSeen: 1,
    answered: 204,
    forwardError: null,
    event: JSON.parse(DOWN),
  })
  assert.equal(second?.timesSeen, 2)
  assert.deepEqual(
    [third?.verified, third?.reason, third?.type, third?.event],
    [false, 'missing_header', '', null],
  )
  const { code, stdout, stderr } = await upv.stop()
  assert.equal(code, 0)
  assert.deepEqual(JSON.parse(stdout.split('\n')[0] ?? ''), {
    kind: 'listening',
    url,
    endpointId: null,
  })
  assert.match(stderr, /3 received, 2 verified\./)
})

test('the second request with one id is marked', async (t) => {
  const { url, upv } = await listening(t, ['--secret', SECRET])
  await send(url, DOWN, await signed(DOWN))
  await send(url, DOWN, await signed(DOWN))
  await upv.printed((text) => text.includes('(evt_01, again: number 2, answered 204)'))
})

test('--status answers everything with it', async (t) => {
  const { url } = await listening(t, ['--status', '503', '--secret', SECRET])
  assert.equal((await send(url, DOWN, await signed(DOWN))).status, 503)
})

test('--verbose prints headers and body, and no control characters of theirs', async (t) => {
  const { url, upv } = await listening(t, ['--verbose', '--secret', SECRET])
  const body = event('monitor.paused', {
    monitor: { name: 'Evil\u001b[2J\u009b31m\u202eShop', type: 'HTTP', url: 'http://x/' },
  })
  await send(url, body, await signed(body))
  await send(url, '\u001b]0;title\u0007', {})
  const stdout = await upv.printed((text) => text.includes('title'))
  assert.match(stdout, /^ {4}webhook-id: evt_01$/m)
  assert.match(stdout, /^ {6}"type": "monitor\.paused",$/m)
  assert.match(stdout, /Evil\uFFFD\[2J\uFFFD31m\uFFFDShop \(HTTP http:\/\/x\/\)/)
  assert.doesNotMatch(stdout, /[^\P{Cc}\n]|\p{Cf}/u)
})

test('--forward hands on the exact bytes and headers, and answers as the receiver does', async (t) => {
  const seen: { method: string; path: string; headers: string[]; body: Buffer }[] = []
  const target = createServer(async (message, response) => {
    const body = Buffer.concat(await Array.fromAsync(message as AsyncIterable<Buffer>))
    const { method = '', url: path = '', rawHeaders: headers } = message
    seen.push({ method, path, headers, body })
    response.writeHead(503, { 'Retry-After': '7', 'Content-Type': 'text/plain', 'X-Own': '1' })
    response.end('busy')
  })
  const { port, close } = await listenOn(target)
  t.after(close)
  const { url, upv } = await listening(t, ['--forward', `http://127.0.0.1:${port}/hook?a=b`])
  const body = `${DOWN.slice(0, -1)},"spaces":  "kept \u00fc\u{1f600}"}`
  const headers = { ...(await signed(body)), 'X-Case': 'Kept', 'content-type': 'application/json' }
  const answer = await send(url, body, headers)
  assert.deepEqual([answer.status, answer.text], [503, 'busy'])
  assert.equal(answer.headers.get('retry-after'), '7')
  assert.equal(answer.headers.get('content-type'), 'text/plain')
  const [request] = seen
  assert.deepEqual([request?.method, request?.path], ['POST', '/hook?a=b'])
  assert.equal(request?.body.toString(), body)
  const given = Object.fromEntries(pairs(request?.headers ?? []))
  for (const [name, value] of Object.entries(headers)) assert.equal(given[name], value)
  assert.equal(given['Host'], `127.0.0.1:${port}`)
  assert.equal(request?.headers.filter((name) => /^content-length$/i.test(name)).length, 1)
  await upv.printed((text) => text.includes('forwarded, answered 503'))
})

test('--forward to an address where nobody listens answers 502 and says so', async (t) => {
  const nobody = await findFreePort()
  const { url, upv } = await listening(t, ['--forward', `http://127.0.0.1:${nobody}/`])
  assert.equal((await send(url, DOWN, await signed(DOWN))).status, 502)
  await upv.printed((text) => /not forwarded: .*ECONNREFUSED/.test(text))
})

test('--forward keeps the end of a long answer to itself', async (t) => {
  const { port, close } = await listenOn(
    createServer((_, response) => response.end('x'.repeat(1e6))),
  )
  t.after(close)
  const { url } = await listening(t, ['--forward', `http://127.0.0.1:${port}/`])
  const { status, text } = await send(url, DOWN, await signed(DOWN))
  assert.deepEqual([status, text.length], [200, 65_536])
})

test('other methods, bodies without end and broken requests do no harm', async (t) => {
  const { port, url, upv } = await listening(t, ['--secret', SECRET])
  const visit = await fetch(url)
  assert.deepEqual([visit.status, visit.headers.get('allow')], [405, 'POST'])
  assert.equal(await sendEndless(port), 413)
  await sendBroken(port)
  assert.equal((await send(url, DOWN, await signed(DOWN))).status, 204)
  const stdout = await upv.printed((text) => text.includes('verified'))
  assert.match(stdout, /^GET \/, answered 405: only POST$/m)
  assert.match(stdout, /^a body over 16777216 bytes, answered 413$/m)
  assert.match(stdout, /^a request that broke off/m)
})

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  test(`${signal} ends it with 0, a summary and nothing left behind`, async (t) => {
    const { port, url, upv } = await listening(t, ['--secret', SECRET])
    await send(url, DOWN, await signed(DOWN))
    // An idle connection must not keep it alive.
    const idle = await opened(port)
    t.after(() => idle.destroy())
    const { code, stdout, stderr } = await upv.stop(signal)
    assert.deepEqual([code, stderr], [0, ''])
    assert.match(stdout, /\n1 received, 1 verified\.\n$/)
    await assert.rejects(fetch(url))
  })

test('it ends when nobody reads its output any more', async (t) => {
  const { url, upv } = await listening(t, ['--secret', SECRET])
  await upv.printed((text) => text.endsWith('\n\n'))
  upv.process.stdout?.destroy()
  await send(url, DOWN, await signed(DOWN))
  const { code, stderr } = await upv.ended
  assert.deepEqual([code, stderr], [0, ''])
})

// biome-ignore format: a table is read by its columns
const misuses: [args: string[], message: RegExp][] = [
  [['--port', 'x'],                            /--port must be a whole number from 0 to 65535/],
  [['--port', '70000'],                        /--port must be/],
  [['--status', '99'],                         /--status must be a whole number from 200 to 599/],
  [['--secret', 'upv_123'],                    /A secret is "whsec_" and base64/],
  [['--forward', 'ftp://x/'],                  /--forward must be/],
  [['--forward', 'http://x/', '--status', '200'], /Give one/],
  [['--register'],                             /UPVANE_API_KEY/],
  [['--sing'],                                 /--sing/],
  [['whsec_x'],                                /does not belong on the command line/],
  [['more'],                                   /"more" was not expected here/],
]
for (const [args, message] of misuses)
  test(`upv listen ${args.join(' ')}: is refused before anything starts`, async () => {
    const refused = (error: unknown) => error instanceof CommandError && error.exitCode === 2
    const env = { UPVANE_PROFILES_FILE: '/nonexistent/profiles.json' }
    const attempt = (async () => listen.run(parseLine([listen], ['listen', ...args], env).call))()
    await assert.rejects(attempt, refused)
    await assert.rejects(attempt, { message })
  })

test('a refusal ends it with 2 and one line that says why', async () => {
  const { code, stdout, stderr } = await runUpv(['listen', '--status', '99'])
  assert.deepEqual(
    [code, stdout, stderr],
    [2, '', 'upv: --status must be a whole number from 200 to 599.\n'],
  )
})

test('a port that is taken ends it with 1 and says so', async (t) => {
  const { port } = await listening(t, [])
  const { code, stderr } = await runUpv(['listen', '--port', String(port)])
  assert.deepEqual([code, stderr], [1, `upv: port ${port} is taken. Choose another with --port.\n`])
})

test('--register where no API answers ends with 1 and says so', async () => {
  const nobody = `http://127.0.0.1:${await findFreePort()}`
  const env = { UPVANE_API_KEY: 'upv_secret', UPVANE_URL: nobody }
  const { code, stderr } = await runUpv(['listen', '--register', '--port', '0'], env)
  assert.equal(code, 1)
  assert.match(
    stderr,
    /^upv: the service cannot be reached \(ECONNREFUSED\)\. Check its address: [^\n]*\n$/,
  )
  assert.doesNotMatch(stderr, /upv_secret/)
})

test('colors appear on a terminal, and not when NO_COLOR is set or the output is a pipe', async (t) => {
  const onTerminal = async (env: Record<string, string>) => {
    const port = await findFreePort()
    const command = `${process.execPath} ${join(import.meta.dirname, '../main.ts')} listen --port ${port}`
    const shown = execFile('script', ['-qefc', command, '/dev/null'], {
      env: { PATH: process.env['PATH'], TERM: 'xterm', ...COMPILE_CACHE, ...env },
    })
    t.after(() => shown.kill('SIGKILL'))
    let output = ''
    shown.stdout?.on('data', (chunk: string) => void (output += chunk))
    for (let waitedMs = 0; !output.includes(`${port}`) && waitedMs < 20_000; waitedMs += 50)
      await delay(50)
    await send(`http://127.0.0.1:${port}/`, DOWN, await signed(DOWN))
    while (!output.includes('answered')) await delay(50)
    // What the terminal sends for Ctrl-C.
    shown.stdin?.write('\u0003')
    while (!output.includes('1 received')) await delay(50)
    return output
  }
  assert.ok((await onTerminal({})).includes(`${ESCAPE}[33munchecked`))
  assert.ok(!(await onTerminal({ NO_COLOR: '1' })).includes(ESCAPE))
  const { url, upv } = await listening(t, [])
  await send(url, DOWN, await signed(DOWN))
  assert.ok(!(await upv.printed((text) => text.includes('answered'))).includes(ESCAPE))
})

function pairs(flat: string[]): [string, string][] {
  return flat.flatMap((name, i) => (i % 2 === 0 ? [[name, flat[i + 1] ?? '']] : []))
}

/** Sends until it gets a response, and returns the status. */
function sendEndless(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const sending = request({ port, host: '127.0.0.1', method: 'POST' }, (response) => {
      resolve(response.statusCode ?? 0)
      sending.destroy()
    })
    sending.on('error', reject)
    const chunk = Buffer.alloc(1024 * 1024)
    for (let i = 0; i < 17; i++) sending.write(chunk)
  })
}

/** Announces more bytes than it sends, then disconnects. */
async function sendBroken(port: number): Promise<void> {
  const socket = await opened(port)
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nshort')
  await delay(100)
  socket.destroy()
}

function opened(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket))
    socket.on('error', reject)
  })
}
