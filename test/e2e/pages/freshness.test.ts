// A change is visible on every process within two seconds, and a page that was read once stays available when the
// database is down.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { openDatabase } from '../../kit/database.ts'
import { type PagesFixture, type Reply, read, startPagesFixture, until } from './fixture.ts'
import type { Seeded } from './world.ts'

const PAGE = '/status/fresh'
const WITHIN_MS = 2_000
const READS = 400

let fixture: PagesFixture
let page: Seeded
let processes: string[]

before(async () => {
  fixture = await startPagesFixture()
  page = await fixture.world.seedPage({
    slug: 'fresh',
    name: 'Fresh',
    sections: [{ name: 'All', components: [{ name: 'API' }, { name: null, monitorName: 'Web' }] }],
  })
  const second = await fixture.stack.start('api')
  processes = [fixture.service.baseUrl, second.baseUrl]
  for (const baseUrl of processes) assert.equal((await read(baseUrl, PAGE)).status, 200)
})
// Only the stack is stopped: its connections do not outlive the database, which is killed here.
after(() => fixture?.stack.stop())

/** Both processes show it in time, and keep responding meanwhile. */
async function seenByAll(pleases: (reply: Reply) => boolean, path = PAGE): Promise<number> {
  const waits = processes.map((baseUrl) => until(() => read(baseUrl, path), pleases, WITHIN_MS))
  return Math.max(...(await Promise.all(waits)))
}

const has = (text: string) => (reply: Reply) => reply.status === 200 && reply.text.includes(text)
const monitorOf = (name: string) => page.components.get(name)?.monitorNo

type Change = [what: string, make: () => Promise<unknown>, pleases: (reply: Reply) => boolean]

const setState = (state: string) =>
  fixture.db.run(
    'update monitor_states set state = $2, last_status_changed_at = now() where monitor_no = $1',
    [monitorOf('API'), state],
  )

const changes: Change[] = [
  ['a monitor goes down', () => setState('DOWN'), has('API is down')],
  [
    'names of the page, a section, a component and a monitor',
    async () => {
      await fixture.db.run(`update monitors set name = 'Front' where no = $1`, [monitorOf('Web')])
      await fixture.db.run(`update status_page_components set name = 'REST API' where id = $1`, [
        page.components.get('API')?.uuid,
      ])
      await fixture.db.run(`update status_page_sections set name = 'Everything'`)
      await fixture.db.run(`update status_pages set name = 'Fresher' where slug = 'fresh'`)
    },
    (reply) =>
      ['Front', 'REST API', 'Everything', 'Fresher'].every((name) =>
        has(`<bdi>${name}</bdi>`)(reply),
      ),
  ],
  [
    'an incident is published',
    () =>
      fixture.world.seedIncident(page, {
        title: 'Something is odd',
        startedMinutesAgo: 1,
        updates: [{ status: 'INVESTIGATING', message: 'We look.', minutesAgo: 1 }],
      }),
    has('Something is odd'),
  ],
  [
    'it gets an update',
    async () => {
      const { id } = await fixture.db.one<{ id: string }>('select id from status_incidents')
      await fixture.world.seedUpdate(id, {
        status: 'IDENTIFIED',
        message: 'We know.',
        minutesAgo: 0,
      })
      await fixture.db.run(
        `update status_incidents set status = 'IDENTIFIED', updated_at = clock_timestamp()`,
      )
    },
    has('We know.'),
  ],
  [
    'it is removed, and the monitor is back',
    () => Promise.all([fixture.db.run('delete from status_incidents'), setState('UP')]),
    has('All systems operational'),
  ],
  [
    'a window that covers a monitor begins by itself',
    () =>
      fixture.db.run(
        `insert into maintenance_spans (monitor_no, started_at, ended_at, window_id)
         values ($1, now() + interval '500 ms', now() + interval '1 hour', gen_random_uuid())`,
        [monitorOf('API')],
      ),
    has('Maintenance in progress'),
  ],
]

for (const [what, make, pleases] of changes) {
  test(`seen within 2 s by every process: ${what}`, async (t) => {
    await make()
    t.diagnostic(`${Math.round(await seenByAll(pleases))} ms`)
  })
}

test('many readers at once cost one question a second', async () => {
  const asked = () =>
    fixture.db.one<{ n: number }>(
      `select coalesce(sum(xact_commit), 0)::int as n from pg_stat_database where datname = 'upvane'`,
    )
  // Connections report their statistics a second later: those of the test before must not count.
  await delay(1_200)
  const before = await asked()
  const countedFromMs = performance.now()
  let left = READS
  const reader = async () => {
    while (left-- > 0) assert.equal((await read(processes[0] ?? '', PAGE)).status, 200)
  }
  await Promise.all(Array.from({ length: 8 }, reader))
  await delay(1_200)
  const made = (await asked()).n - before.n
  const seconds = (performance.now() - countedFromMs) / 1000
  // Our own queries and the service's readiness checks count as well.
  assert.ok(made < 30 + 10 * seconds, `${made} transactions for ${READS} answers in ${seconds} s`)
})

test('database frozen: read pages answer at once, others 503, and all is well afterward', async (t) => {
  const [baseUrl = ''] = processes
  await fixture.db.run(`update status_pages set name = 'Before the frost'`)
  await seenByAll(has('Before the frost'))
  await delay(1_100)
  fixture.stack.postgres.freeze()
  try {
    const first = await read(baseUrl, PAGE)
    assert.equal(first.status, 200)
    assert.match(first.text, /Before the frost/)
    assert.ok(first.firstByteMs < 1_000, `${first.firstByteMs} ms`)
    const times: number[] = []
    for (let i = 0; i < 12; i++) {
      const reply = await read(baseUrl, i % 2 === 0 ? PAGE : `${PAGE}/status.json`)
      assert.equal(reply.status, 200)
      times.push(reply.firstByteMs)
      await delay(100)
    }
    t.diagnostic(
      `first ${Math.round(first.firstByteMs)} ms, then up to ${Math.round(Math.max(...times))} ms`,
    )
    assert.ok(Math.max(...times) < 250, `${Math.max(...times)} ms`)
    // A window or an incident that is newer than what is shown.
    const newer = ['maintenance/mw', 'incidents/sin'].map(
      (kind) => `${PAGE}/${kind}_${'0'.repeat(26)}`,
    )
    for (const path of ['/status/never-read', ...newer]) {
      const unknown = await read(baseUrl, path)
      assert.equal(unknown.status, 503, path)
      assert.equal(unknown.headers['retry-after'], '5')
    }
  } finally {
    fixture.stack.postgres.thaw()
  }
  await fixture.db.run(`update status_pages set name = 'After the frost'`)
  await until(() => read(baseUrl, PAGE), has('After the frost'), 5_000)
})

test('database gone: read pages stay, and follow it when it is back', async () => {
  const [baseUrl = ''] = processes
  await seenByAll(has('After the frost'))
  await fixture.db.close()
  await fixture.stack.postgres.kill()
  for (let i = 0; i < 15; i++) {
    const reply = await read(baseUrl, PAGE)
    assert.equal(reply.status, 200)
    assert.match(reply.text, /After the frost/)
    await delay(100)
  }
  assert.equal((await read(baseUrl, '/status/never-read')).status, 503)
  await fixture.stack.postgres.restart()
  const db = openDatabase(fixture.stack.databaseUrl)
  await db.run(`update status_pages set name = 'Back again'`)
  await db.close()
  await until(() => read(baseUrl, PAGE), has('Back again'), 5_000)
})
