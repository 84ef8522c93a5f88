// The ledger of a status page: off by default, what it shows, what cannot be hidden from it, and what goes with a monitor.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { toUuid } from '../kit/ids.ts'
import { type AppFixture, startAppFixture } from './fixture.ts'
import { createTeam, type Team } from './screens.ts'

const WAIT_MS = 10_000

let fixture: AppFixture
before(async () => {
  fixture = await startAppFixture()
})
after(() => fixture.stop())

const pathOf = (team: Team, path: string) => `/organizations/${team.orgId}${path}`

async function readPage(path: string): Promise<{ status: number; text: string }> {
  const answer = await fetch(`${fixture.service.baseUrl}${path}`)
  return { status: answer.status, text: await answer.text() }
}

/** Pages follow within two seconds. */
async function until(path: string, holds: (page: { status: number; text: string }) => boolean) {
  const endMs = performance.now() + WAIT_MS
  for (;;) {
    const page = await readPage(path)
    if (holds(page)) return page.text
    assert.ok(performance.now() < endMs, `${path}: ${page.status} ${page.text}`)
    await delay(100)
  }
}

async function open() {
  const team = await createTeam(fixture)
  const monitor = await team.createMonitor({
    name: 'Shop',
    type: 'HTTP',
    url: 'https://shop.example.com/',
  })
  const made = await team.owner.post(pathOf(team, '/status-pages'), {
    name: 'Acme',
    monitorIds: [monitor.id],
  })
  assert.equal(made.status, 201, made.text)
  const page = made.json as { id: string; slug: string; sections: { id: string }[] }
  const set = (shown: unknown, who = team.member) =>
    who.request('PUT', pathOf(team, `/status-pages/${page.id}/ledger`), { body: { shown } })
  return { team, monitor, page, set, path: `/status/${page.slug}/ledger` }
}

/** An outage that began that many minutes ago. */
async function fail(monitorId: string, minutes: number): Promise<string> {
  const { id } = await fixture.db.one<{ id: string }>(
    `insert into incidents (id, org_id, monitor_id, started_at, cause, cause_code)
     select new_uuid(), org_id, id, now() - make_interval(mins => $2), 'secret cause', 'TIMEOUT'
       from monitors where id = $1 returning id`,
    [toUuid(monitorId), minutes],
  )
  await fixture.db.run(
    `update monitor_states set state = 'DOWN', last_status_changed_at = now()
      where monitor_no = (select no from monitors where id = $1)`,
    [toUuid(monitorId)],
  )
  return id
}

test('off by default; on and off by members, never by readers; links only while it is shown', async () => {
  const { team, page, set, path } = await open()
  const at = pathOf(team, `/status-pages/${page.id}/ledger`)
  assert.deepEqual((await team.reader.get(at)).json, { since: null })
  assert.equal((await readPage(path)).status, 404)
  assert.equal((await set(true, team.reader)).code, 'forbidden')
  assert.equal((await set('yes')).code, 'validation_error')
  const shown = await set(true)
  assert.equal(shown.status, 200, shown.text)
  const { since } = shown.json as { since: string }
  assert.deepEqual((await set(true)).json, { since }, 'turned on twice it does not begin again')
  await until(path, ({ status, text }) => status === 200 && text.includes('Nothing so far.'))
  await until(`/status/${page.slug}`, ({ text }) => text.includes(`${path}"`))
  assert.deepEqual((await set(false)).json, { since: null })
  await until(path, ({ status }) => status === 404)
  const other = await createTeam(fixture)
  const foreign = `/organizations/${other.orgId}/status-pages/${page.id}/ledger`
  assert.equal((await other.owner.get(foreign)).status, 404)
  assert.equal((await other.owner.request('PUT', foreign, { body: { shown: true } })).status, 404)
})

test('detected against published; a hidden outage is in it; nothing of a deleted monitor', async () => {
  const { team, monitor, page, set, path } = await open()
  await set(true)
  await fixture.db.run(
    `update page_ledgers set since = now() - interval '1 hour' where page_id = $1`,
    [toUuid(page.id)],
  )
  await fail(monitor.id, 14)
  const before = await until(path, ({ text }) => text.includes('outage detected'))
  assert.match(before, /Not published/)
  assert.doesNotMatch(before, /secret cause/, 'causes stay private')

  const { sections } = (await team.owner.get(pathOf(team, `/status-pages/${page.id}`))).json as {
    sections: { components: { id: string }[] }[]
  }
  const componentId = sections[0]?.components[0]?.id
  const published = await team.owner.post(pathOf(team, '/status-incidents'), {
    title: 'Problem',
    message: 'Looking',
    statusPageIds: [page.id],
    components: [{ componentId, state: 'MAJOR_OUTAGE' }],
    // What people write as the start does not count.
    startedAt: new Date(Date.now() - 13 * 60_000).toISOString(),
  })
  assert.equal(published.status, 201, published.text)
  await until(path, ({ text }) => /Published .*\(14\s?min.*after detection\)/s.test(text))

  const hidden = await team.owner.patch(pathOf(team, `/status-pages/${page.id}`), { sections: [] })
  assert.equal(hidden.status, 200, hidden.text)
  const after = await until(path, ({ text }) =>
    text.includes('removed from this page during an outage'),
  )
  assert.match(after, /outage detected/, 'and so does the outage itself')
  assert.match(after, /Published /)

  for (const own of [[{ components: [{ monitorId: monitor.id }] }], []]) {
    const again = await team.owner.patch(pathOf(team, `/status-pages/${page.id}`), {
      sections: own,
    })
    assert.equal(again.status, 200, again.text)
  }
  const overrides = () =>
    fixture.db.count('page_ledger_overrides', 'monitor_id = $1', [toUuid(monitor.id)])
  assert.equal(await overrides(), 1, 'once for each outage')

  await team.owner.request('DELETE', pathOf(team, `/monitors/${monitor.id}`))
  await until(path, ({ text }) => text.includes('Nothing so far.'))
  assert.equal(await overrides(), 0)
})

// biome-ignore format: a table is read by its columns
const TITLES = [['de', 'Protokoll'], ['es', 'Registro'], ['fr', 'Registre'], ['ja', '記録簿'], ['en', 'Ledger']]

test('in the language of the page', async () => {
  const { team, page, set, path } = await open()
  await set(true)
  for (const [locale, title] of TITLES) {
    const changed = await team.owner.patch(pathOf(team, `/status-pages/${page.id}`), { locale })
    assert.equal(changed.status, 200, changed.text)
    await until(path, ({ text }) => text.includes(`>${title}</h1>`))
  }
})

test('without a ledger nothing is recorded', async () => {
  const { team, monitor, page } = await open()
  await fail(monitor.id, 5)
  await team.owner.patch(pathOf(team, `/status-pages/${page.id}`), { sections: [] })
  const count = await fixture.db.count('page_ledger_overrides', 'page_id = $1', [toUuid(page.id)])
  assert.equal(count, 0)
})
