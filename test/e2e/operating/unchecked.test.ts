// A monitor whose only region has no probe is not down: its owners get one email that it is not checked, and one when it
// is checked again. A probe in another region cannot reach it and is not asked.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { Service } from '../../../tools/stack.ts'
import { until } from '../webhooks/fixture.ts'
import { startWatched, type Watched } from './watched-service.ts'

const OWNER = 'owner@example.com'
const SITE = { REGION: 'site-b' }
const WAIT_MS = 120_000
// Longer than the interval of the monitor and the time between two rounds of the dispatcher.
const QUIET_MS = 40_000

let watched: Watched
let probe: Service

before(async () => {
  watched = await startWatched()
  await watched.start('start', { REGION: 'site-a' })
  probe = await watched.start('probe', SITE)
  await watched.db.run(
    `with person as (
       insert into users (id, email, name) values (new_uuid(), $1, 'Ana') returning id
     ) insert into members (org_id, user_id, role) select o.id, p.id, 'OWNER' from organizations o, person p`,
    [OWNER],
  )
  await until('both regions', async () => {
    const [row] = await watched.db.run<{ count: number }>('select count(*)::int from regions')
    return row?.count === 2
  })
  await watched.db.run(`update organizations set home_region = 'site-b', home_chosen_at = now()`)
})
after(() => watched?.stop())

const mails = () => watched.sink.to(OWNER)
const subjects = () => mails().map(({ headers }) => headers['subject'])

/** As if ten minutes had passed since the last result, and the minute in which a note must last. */
async function age(): Promise<void> {
  await watched.db.run(
    `update monitor_states set last_checked_at = now() - interval '10 minutes',
            last_status_changed_at = now() - interval '11 minutes'
      where last_checked_at > now() - interval '9 minutes'`,
  )
  await watched.db.run(`update monitors set created_at = now() - interval '1 hour'`)
  await watched.db.run(
    'update monitor_notices set notify_at = now() where notified_at is null and notify_at > now()',
  )
}

test('no probe in the only region that reaches a monitor: not down, and one email', async () => {
  const { url } = watched.page
  const fields = { type: 'HTTP', name: 'Intranet', url, intervalSeconds: 30 }
  const { id } = await watched.api.createMonitor(fields)
  const stateOf = async () => (await watched.api.getMonitor(id)).state
  await until('the first check', async () => (await stateOf()) === 'UP', WAIT_MS)

  await probe.kill()
  await until(
    'a check without a probe',
    async () => {
      await delay(1000)
      await age()
      return mails().length > 0
    },
    WAIT_MS,
  )
  assert.deepEqual(subjects(), ['▲ Intranet is not being checked'])
  assert.match(mails()[0]?.text ?? '', /Not checked since .+: no probe in site-b/)
  const operatorKnows = () =>
    watched.subjects().some((one) => /1 monitor gets no results: site-b/.test(one))
  await until('the email to the operator', async () => operatorKnows(), WAIT_MS)

  await delay(QUIET_MS)
  assert.equal(mails().length, 1, 'no repetition')
  assert.equal(await stateOf(), 'UP')
  const { incidents } = await watched.api.get(`/incidents?monitorId=${id}`)
  assert.deepEqual(incidents.data, [])

  await watched.start('probe', SITE)
  await until('the second email', async () => mails().length > 1, WAIT_MS)
  assert.deepEqual(subjects().slice(1), ['✓ All monitors are being checked again'])
})
