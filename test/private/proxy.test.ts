// A proxy in front that is not trusted, and a server that is too busy to hash: what operators and visitors see.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type AppFixture, PASSWORD, startAppFixture } from './fixture.ts'

// The log is written in the background.
const FLUSHED_MS = 500

let fixture: AppFixture

before(async () => {
  fixture = await startAppFixture()
})
after(() => fixture.stop())

test('TRUSTED_PROXIES: an https BASE_URL without one is warned about at start, and its effect once at run time', async () => {
  const origin = 'https://upvane.test'
  const { baseUrl, internalUrl } = await fixture.stack.start('api', {
    env: { BASE_URL: origin, TRUSTED_PROXIES: '' },
  })
  const atStart = 'BASE_URL is https, but no proxy is trusted'
  const atRunTime = 'X-Forwarded-For from an untrusted address'
  await untilLogged(baseUrl, atStart)
  const bare = { headers: { 'X-Forwarded-For': undefined } }
  await fixture.visitor({ baseUrl, origin }).get('/session', bare)
  for (let i = 0; i < 3; i++) await fixture.visitor({ baseUrl, origin }).get('/session')
  await untilLogged(baseUrl, atRunTime)
  await delay(FLUSHED_MS)
  assert.equal(linesWith(baseUrl, atStart).length, 1)
  assert.equal(linesWith(baseUrl, atRunTime).length, 1)
  assert.match(linesWith(baseUrl, atRunTime)[0] ?? '', /"peer":"127\.0\.0\.1"/)
  const metrics = await (await fetch(`${internalUrl}/metrics`)).text()
  assert.match(metrics, /^upvane_forwarded_for_ignored_total 3$/m)
})

test('TRUSTED_PROXIES: nothing is warned about where the proxy is named', async () => {
  const origin = 'https://upvane.test'
  const { baseUrl } = await fixture.stack.start('api', { env: { BASE_URL: origin } })
  await fixture.visitor({ baseUrl, origin }).get('/session')
  await delay(FLUSHED_MS)
  assert.deepEqual(linesWith(baseUrl, 'TRUSTED_PROXIES'), [])
})

test('unlock: a page password that cannot be hashed now is 429 with Retry-After, and no wrong guess', async () => {
  const made = await fixture.api.post('/status-pages', {
    name: 'Busy',
    slug: 'busy',
    password: PASSWORD,
  })
  assert.equal(made.status, 201, made.text)
  const many = 180
  const agent = new Agent({ keepAlive: true, maxSockets: many })
  const guess = (address: string) =>
    fixture.visitor({ agent, address }).exchange('POST', '/status/busy/unlock', { body: 'wrong' })
  const answers = await Promise.all(
    Array.from({ length: many }, (_, i) => guess(`198.18.0.${i + 1}`)),
  )
  const [wrong, busy] = [401, 429].map((wanted) =>
    answers.flatMap(({ status }, i) => (status === wanted ? [i] : [])),
  )
  assert.equal((wrong?.length ?? 0) + (busy?.length ?? 0), many)
  const [first] = busy ?? []
  assert.ok(first !== undefined, 'the gate was full')
  assert.equal(answers[first]?.headers['retry-after'], '1')
  // Ten wrong guesses per address: one that was refused as busy still has all ten.
  for (let i = 0; i < 10; i++) assert.equal((await guess(`198.18.0.${first + 1}`)).status, 401)
  assert.equal((await guess(`198.18.0.${first + 1}`)).status, 429)
  agent.destroy()
})

function linesWith(baseUrl: string, text: string): string[] {
  const log = join(fixture.stack.directory, `service-${new URL(baseUrl).port}.log`)
  return readFileSync(log, 'utf8')
    .split('\n')
    .filter((line) => line.includes(text))
}

async function untilLogged(baseUrl: string, text: string): Promise<void> {
  for (let i = 0; i < 100 && linesWith(baseUrl, text).length === 0; i++) await delay(50)
  assert.notEqual(linesWith(baseUrl, text).length, 0, text)
}
