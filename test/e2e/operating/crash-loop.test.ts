// A process that works for a while and then dies, again and again: the heartbeat never says that all is well.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type Service, type Stack, startStack } from '../../../tools/stack.ts'
import { type Database, openDatabase } from '../../kit/database.ts'
import { startSmtpSink } from '../../kit/smtp-sink.ts'
import { until } from '../webhooks/fixture.ts'

const OPERATOR = 'operator@example.com'
const EVERY_SECONDS = 4
// A service that did not die says within this time that all is well: it waits as long as its row counts, and a round.
const WELL_AFTER_MS = 18_000
const CRASHES = 3
const ENDED = /Ended without being stopped: start on /

type Call = { path: string; body: string }

let stack: Stack
let db: Database
const calls: Call[] = []
const receiver = createServer((request, response) => {
  let body = ''
  request.setEncoding('utf8').on('data', (text: string) => void (body += text))
  request.on('end', () => {
    calls.push({ path: request.url ?? '', body })
    response.end()
  })
})
const sink = await startSmtpSink()

before(async () => {
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const { port } = receiver.address() as AddressInfo
  stack = await startStack({
    nats: false,
    env: {
      LOG_LEVEL: 'warn',
      BASE_URL: 'http://upvane.example',
      SMTP_URL: `smtp://127.0.0.1:${sink.port}?tls=off`,
      SMTP_FROM: 'upvane@upvane.example',
      OPERATOR_EMAIL: OPERATOR,
      SELF_HEARTBEAT_URL: `http://127.0.0.1:${port}/beat`,
      SELF_HEARTBEAT_SECONDS: String(EVERY_SECONDS),
    },
  })
  db = openDatabase(stack.databaseUrl)
})

after(async () => {
  await db?.close()
  await stack?.stop()
  receiver.close()
  await sink.close()
})

const isWell = ({ path }: Call) => path === '/beat'
const isFailure = ({ path, body }: Call) => path === '/beat/fail' && ENDED.test(body)
const subjects = () => sink.to(OPERATOR).map(({ headers }) => headers['subject'] ?? '')
const mails = () => subjects().filter((subject) => /ended without being stopped/i.test(subject))
let service: Service

test('a service that is stopped and started again is well', async () => {
  await (await stack.start('start')).stop()
  service = await stack.start('start')
  await until('a success', async () => calls.some(isWell), 2 * WELL_AFTER_MS)
  assert.deepEqual(
    calls.filter((call) => !isWell(call)),
    [],
  )
})

test('one that was killed is reported with its name, and well again after a while', async () => {
  await service.kill()
  calls.length = 0
  service = await stack.start('start')
  await until('a failure', async () => calls.some(isFailure), 2 * WELL_AFTER_MS)
  assert.deepEqual(calls.filter(isWell), [], 'no success before it')
  await until('the mail', async () => mails().length > 0)
  await until('a success', async () => calls.some(isWell), 4 * WELL_AFTER_MS)
  await until('the mail of the end', async () => mails().length > 1)
  await until(
    'it to be stored',
    async () => (await db.count('reported_troubles', 'true', [])) === 0,
  )
  const { text = '' } = sink.to(OPERATOR).at(0) ?? {}
  assert.match(text, /Check the log of the process that is named/)
  const [, path = ''] = /http:\/\/upvane\.example(\/docs\/\S+)#process_died/.exec(text) ?? []
  const page = await fetch(service.baseUrl + path)
  assert.equal(page.status, 200)
  assert.ok((await page.text()).includes('id="process_died"'), 'the link leads to the section')
})

test('one that dies some time after its start, in a loop, is never well', async () => {
  for (let crash = 0; crash < CRASHES; crash++) {
    await service.kill()
    if (crash === 0) calls.length = 0
    service = await stack.start('start')
    await delay(WELL_AFTER_MS)
  }
  assert.deepEqual(calls.filter(isWell), [])
  const failures = calls.filter(isFailure)
  assert.ok(failures.length >= CRASHES, 'each start reports it')
  assert.match(failures.at(-1)?.body ?? '', /start on .+ \(\d times\)/)
  assert.equal(mails().length, 3, 'of the loop as a whole, one email')
})
