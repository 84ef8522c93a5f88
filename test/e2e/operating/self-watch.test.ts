// Two installations: one monitors the other's heartbeat, and the operator of the other is notified of what is wrong
// with it.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { startProduct } from '../../kit/fixture.ts'
import { toUuid } from '../../kit/ids.ts'
import { type Received, startSmtpSink } from '../../kit/smtp-sink.ts'
import { until } from '../webhooks/fixture.ts'

const OPERATOR = 'operator@example.com'
// A cycle and its email take a second; a duplicate would arrive within this time.
const QUIET_MS = 2_500

const sink = await startSmtpSink()
const [other, own] = await Promise.all([
  startProduct(),
  startProduct({
    env: {
      BASE_URL: 'http://upvane.example',
      SHARD_LEASE_SECONDS: '2',
      SELF_HEARTBEAT_SECONDS: '1',
      SELF_LATE_SECONDS: '3',
      SMTP_URL: `smtp://127.0.0.1:${sink.port}?tls=off`,
      SMTP_FROM: 'upvane@upvane.example',
      OPERATOR_EMAIL: OPERATOR,
    },
  }),
])
after(async () => {
  await Promise.all([own.stop(), other.stop()])
  await sink.close()
})

const CRON = { type: 'CRON', expectedPeriodSec: 3600, graceSeconds: 60 }
const heartbeat = await other.api.createMonitor({ ...CRON, name: 'The other installation' })
const stateOfHeartbeat = async () => (await other.api.getMonitor(heartbeat.id)).state
const pings = () => other.db.count('heartbeat_calls', 'true', [])
const subjectOf = ({ headers }: Received) => headers['subject'] ?? ''
// Ignores reports from the start, when for a moment there was no scheduler.
let reportedAtStart = 0
const reports = () => sink.to(OPERATOR).slice(reportedAtStart)
const mailsAbout = (what: RegExp) => reports().filter((mail) => what.test(subjectOf(mail)))
const mails = () => mailsAbout(/No scheduler is running$/)

const [, scheduler, , janitor] = await Promise.all([
  other.stack.start('scheduler'),
  own.stack.start('scheduler'),
  own.stack.start('dispatcher'),
  own.stack.start('janitor', { env: { SELF_HEARTBEAT_URL: heartbeat.heartbeatUrl ?? '' } }),
])

async function conditions(): Promise<readonly unknown[]> {
  const answer = await fetch(`${janitor.internalUrl}/readyz`)
  return ((await answer.json()) as { conditions: unknown[] }).conditions
}

async function lateShards(): Promise<string | undefined> {
  const text = await fetch(`${janitor.internalUrl}/metrics`).then((answer) => answer.text())
  return /^upvane_self_watch_late_shards (\d+)$/m.exec(text)?.[1]
}

/** Moves the monitor's heartbeat that far into the past. */
async function age(id: string, seconds: number): Promise<void> {
  const state = 'monitor_no = (select no from monitors where id = $1)'
  const { heartbeat: clock } = await own.db.one<{ heartbeat: object }>(
    `select heartbeat from monitor_states where ${state}`,
    [toUuid(id)],
  )
  const older = JSON.stringify(clock).replace(/\d{4}-[^"]+Z/g, (at) =>
    new Date(Date.parse(at) - seconds * 1000).toISOString(),
  )
  await own.db.run(
    `update monitor_states set heartbeat = $2, next_due_at = next_due_at - make_interval(secs => $3) where ${state}`,
    [toUuid(id), older, seconds],
  )
}

test('all is well: the other installation gets the heartbeat, and nobody is notified', async () => {
  await until('the first heartbeat', async () => (await stateOfHeartbeat()) === 'UP')
  await until('no condition', async () => (await conditions()).length === 0)
  await delay(QUIET_MS)
  reportedAtStart = sink.to(OPERATOR).length
  const before = await pings()
  await until('more of them', async () => (await pings()) > before + 1)
  assert.deepEqual(reports().map(subjectOf), [])
})

test('a scheduler that is frozen: the heartbeat fails, the operator is notified once, and once of the recovery', async () => {
  const job = await own.api.createMonitor({ ...CRON, name: 'Job' })
  scheduler.process.kill('SIGSTOP')
  try {
    await until('the heartbeat to fail', async () => (await stateOfHeartbeat()) === 'DOWN')
    await until('the mail', async () => mails().length > 0)
    await age(job.id, CRON.expectedPeriodSec + CRON.graceSeconds + 10)
    await until('the late check to be seen', async () => (await lateShards()) === '1')
    await delay(QUIET_MS)
    assert.equal(reports().length, 1, 'notified once, of the cause')
    const [mail] = mails()
    assert.equal(mail && subjectOf(mail), '✕ Upvane at upvane.example: No scheduler is running')
    assert.match(mail?.text ?? '', /Code: NO_SCHEDULER/)
  } finally {
    scheduler.process.kill('SIGCONT')
  }
  await until('the heartbeat', async () => (await stateOfHeartbeat()) === 'UP')
  await until('the mail of the end', async () => mails().length > 1)
  const [, end] = mails()
  assert.equal(
    end && subjectOf(end),
    '✓ Upvane at upvane.example: resolved: No scheduler is running',
  )
  assert.equal(end?.headers['references'], mails()[0]?.headers['references'])
  await until('no late check', async () => (await lateShards()) === '0')
})

/**
 * Freezes the scheduler until the operator is notified, then waits for the recovery email. Returns how many emails
 * arrived.
 */
async function freeze(): Promise<number> {
  const before = mails().length
  scheduler.process.kill('SIGSTOP')
  try {
    await until('the mail', async () => mails().length > before)
    await delay(QUIET_MS)
    assert.equal(mails().length, before + 1, 'notified once')
  } finally {
    scheduler.process.kill('SIGCONT')
  }
  await until('the mail of the end', async () => mails().length > before + 1)
  await delay(QUIET_MS)
  return mails().length - before
}

test('a second watcher stays silent while there is a first, and takes over from it', async () => {
  assert.equal(mails().length, 2, 'of the beginning and of the end, once each')
  const second = await own.stack.start('janitor')
  assert.equal(await freeze(), 2, 'by two watchers')
  await janitor.kill()
  assert.equal(await freeze(), 2, 'by the one that is left')
  await second.stop()
})

test('a database that is gone: the operator is still notified', async () => {
  const gone = () => mailsAbout(/The database does not answer/)
  const before = gone().length
  const env = { SELF_HEARTBEAT_URL: heartbeat.heartbeatUrl ?? '' }
  const pingsBefore = await pings()
  await own.stack.start('janitor', { env })
  // It takes over the watch from a process that cannot reach the heartbeat.
  await until('its heartbeats', async () => (await pings()) > pingsBefore + 1)
  await own.stack.postgres.kill()
  await until('the heartbeat to fail', async () => (await stateOfHeartbeat()) === 'DOWN')
  await until('the mail', async () => gone().length > before)
  assert.match(gone().at(-1)?.text ?? '', /The database does not answer/)
  await own.stack.postgres.restart()
  await until('the mail of the end', async () => gone().length > before + 1)
  await until('the heartbeat', async () => (await stateOfHeartbeat()) === 'UP')
  assert.equal(gone().length, before + 2)
})

test('a database that accepts and never answers: the operator is notified', async () => {
  const gone = () => mailsAbout(/The database does not answer/)
  const before = gone().length
  own.stack.postgres.freeze()
  try {
    await until('the heartbeat to fail', async () => (await stateOfHeartbeat()) === 'DOWN', 60_000)
    await until('the mail', async () => gone().length > before, 60_000)
  } finally {
    own.stack.postgres.thaw()
  }
  await until('the mail of the end', async () => gone().length > before + 1)
  await until('the heartbeat', async () => (await stateOfHeartbeat()) === 'UP')
})

test('a PostgreSQL without a free connection: the mail says so, and what to do', async () => {
  const full = () => mailsAbout(/PostgreSQL has no connection left/)
  const before = full().length
  await own.db.run('alter role upvane connection limit 0')
  await own.db.run(
    `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'upvane'`,
  )
  await until('the mail', async () => full().length > before)
  const { text = '' } = full().at(-1) ?? {}
  assert.match(text, /Check that PostgreSQL runs, has connections left/)
  assert.match(text, /docs\/operating\/troubleshooting\.md#database_unreachable/)
  await own.db.run('alter role upvane connection limit -1')
  await until('the mail of the end', async () => full().length > before + 1)
})
