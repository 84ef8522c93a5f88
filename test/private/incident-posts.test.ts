// Post-mortems and announced updates: what members write beyond the public API, and what visitors see of it.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { toUuid } from '../kit/ids.ts'
import type { StatusIncident, StatusPage } from '../kit/status-shapes.ts'
import { type AppFixture, startAppFixture } from './fixture.ts'
import { createTeam } from './screens.ts'

let fixture: AppFixture
before(async () => {
  fixture = await startAppFixture()
})
after(() => fixture.stop())

type Notes = {
  nextUpdateBy: string | null
  postMortem: { message: string; notifiedSubscribers: boolean } | null
}

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()

const BERLIN = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/Berlin',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
})
const inBerlin = (type: 'day' | 'hour' | 'minute', at: string) =>
  BERLIN.formatToParts(new Date(at)).find((part) => part.type === type)?.value

async function withIncident(fields: object = {}) {
  const team = await createTeam(fixture)
  const base = `/organizations/${team.orgId}`
  const settings = { name: 'Acme', timezone: 'Europe/Berlin' }
  const page = (await team.owner.post(`${base}/status-pages`, settings)).json as StatusPage
  const made = await team.member.post(`${base}/published-incidents`, {
    title: 'Login errors',
    statusPageIds: [page.id],
    message: 'We look into it.',
    ...fields,
  })
  assert.equal(made.status, 201, made.text)
  const incident = made.json as StatusIncident
  const path = `${base}/status-incidents/${incident.id}`
  const notes = async () =>
    (await team.reader.get(`${base}/overview/status-incidents/${incident.id}`)).json as Notes
  const shown = async (below = `/incidents/${incident.id}`) =>
    (await fetch(`${page.url}${below}`)).text()
  return { team, base, page, incident, path, notes, shown }
}

/** A page is rendered again within a second or two of a change. */
async function untilShown(read: () => Promise<string>, pattern: RegExp, isThere = true) {
  let text = ''
  for (let i = 0; i < 100; i++) {
    text = await read()
    if (pattern.test(text) === isThere) return text
    await delay(100)
  }
  return assert.fail(`${pattern} ${isThere ? 'did not appear' : 'stays'}: ${text.slice(-3000)}`)
}

test('postStatusIncidentUpdate: the page says when, and no longer once an update was posted', async () => {
  const nextUpdateBy = inMinutes(30)
  const { team, path, notes, shown } = await withIncident({ nextUpdateBy })
  const [today, day] = [inBerlin('day', inMinutes(0)), inBerlin('day', nextUpdateBy)]
  const time = `${inBerlin('hour', nextUpdateBy)}:${inBerlin('minute', nextUpdateBy)}`
  // With the day if it is another one: in the half hour before midnight.
  const written = day === today ? time : `\\w{3}, \\w{3} ${Number(day)}, ${time}`
  await untilShown(shown, new RegExp(`Next update by <time[^>]+>${written} CES?T</time>`))
  await untilShown(() => shown(''), /Next update by <time/)
  const posted = await team.member.post(`${path}/posts`, {
    message: 'Still looking.',
    nextUpdateBy: inMinutes(60),
  })
  assert.equal(posted.status, 201, posted.text)
  assert.ok(!posted.text.includes('nextUpdateBy'), 'the shape of the public API is unchanged')
  assert.ok(Date.parse((await notes()).nextUpdateBy ?? '') > Date.now() + 59 * 60_000)
  // The operation of the public API ends the promise as well.
  const update = await team.member.post(`${path}/updates`, { message: 'Found it.' })
  assert.equal(update.status, 201, update.text)
  assert.equal((await notes()).nextUpdateBy, null)
  await untilShown(shown, /Next update by/, false)
})

test('postStatusIncidentUpdate 400: not in the past, not in a month, not for the end', async () => {
  const { team, path, notes } = await withIncident()
  const refused: [object, RegExp][] = [
    [{ nextUpdateBy: inMinutes(-1) }, /must be in the future/],
    [{ nextUpdateBy: inMinutes(8 * 24 * 60) }, /at most 7 days/],
    [{ nextUpdateBy: inMinutes(5), status: 'RESOLVED' }, /not RESOLVED/],
    [{ nextUpdateBy: 'soon' }, /nextUpdateBy/],
  ]
  for (const [fields, message] of refused) {
    const response = await team.member.post(`${path}/posts`, { message: 'x', ...fields })
    assert.equal(response.status, 400, response.text)
    assert.match(response.text, message)
  }
  assert.equal((await notes()).nextUpdateBy, null)
})

test('a promise that was not kept is told to members, and nobody else', async () => {
  const { incident, notes, shown } = await withIncident({ nextUpdateBy: inMinutes(30) })
  await untilShown(shown, /Next update by/)
  await fixture.db.run(
    `update status_incidents set next_update_by = now() - interval '1 minute' where id = $1`,
    [toUuid(incident.id)],
  )
  await untilShown(shown, /Next update by/, false)
  assert.ok(Date.parse((await notes()).nextUpdateBy ?? '') < Date.now())
})

test('resolving ends the promise', async () => {
  const { team, path, notes } = await withIncident({ nextUpdateBy: inMinutes(30) })
  const resolved = await team.member.patch(path, { status: 'RESOLVED' })
  assert.equal(resolved.status, 200, resolved.text)
  assert.equal((await notes()).nextUpdateBy, null)
})

test('savePostMortem: only after the end, on the page, in history and feeds, sanitized, editable, removable, audited', async () => {
  const { team, base, path, notes, shown, incident } = await withIncident()
  const early = await team.member.post(`${path}/post-mortem`, { message: 'Too early.' })
  assert.equal(early.status, 409, early.text)
  const resolved = await team.member.post(`${path}/posts`, { message: 'Done.', status: 'RESOLVED' })
  const before = (await team.owner.get(path)).text

  const message = 'A **disk** was full. <script>alert(1)</script> [x](javascript:alert(1))'
  const saved = await team.member.post(`${path}/post-mortem`, { message })
  assert.equal(saved.status, 200, saved.text)
  assert.deepEqual(
    [(await notes()).postMortem?.message, (await notes()).postMortem?.notifiedSubscribers],
    [message, false],
  )
  const text = await untilShown(shown, /id="post-mortem">Post-mortem/)
  assert.match(text, /A <strong>disk<\/strong> was full\. &lt;script&gt;/)
  assert.doesNotMatch(text, /<script>alert|href="javascript:/)
  await untilShown(() => shown('/history'), /#post-mortem">Post-mortem<\/a>/)
  for (const feed of ['/feed.rss', '/feed.atom'])
    await untilShown(() => shown(feed), new RegExp(`${incident.id}#post-mortem`))
  assert.equal((await team.owner.get(path)).text, before, 'the public resource is the same')
  assert.equal(resolved.status, 201)

  await team.member.post(`${path}/post-mortem`, { message: 'The disk was full.' })
  await untilShown(shown, /The disk was full\./)
  assert.equal((await team.reader.post(`${path}/post-mortem`, { message: 'x' })).status, 403)

  const reopened = { message: 'Again.', status: 'INVESTIGATING' }
  await team.member.post(`${path}/posts`, reopened)
  await untilShown(shown, /id="post-mortem"/, false)
  await team.member.post(`${path}/posts`, { message: 'Over.', status: 'RESOLVED' })
  await untilShown(shown, /id="post-mortem"/)

  const gone = await team.member.delete(`${path}/post-mortem`)
  assert.equal(gone.status, 200, gone.text)
  await untilShown(shown, /id="post-mortem"/, false)
  assert.equal((await team.member.delete(`${path}/post-mortem`)).status, 404)
  const log = (await team.owner.get(`${base}/audit-log`)).json as { data: { action: string }[] }
  const actions = log.data.map(({ action }) => action)
  assert.equal(actions.filter((action) => action === 'savePostMortem').length, 2)
  assert.ok(actions.includes('deletePostMortem'))
})

test('savePostMortem 400, 404: nothing, blank, too long, and of another organization', async () => {
  const { team, path } = await withIncident({ status: 'RESOLVED' })
  for (const body of [{}, { message: '' }, { message: ' \n' }, { message: 'x'.repeat(10_001) }])
    assert.equal((await team.member.post(`${path}/post-mortem`, body)).status, 400)
  const other = await createTeam(fixture)
  const foreign = path.replace(team.orgId, other.orgId)
  for (const answer of [
    await other.owner.post(`${foreign}/post-mortem`, { message: 'x' }),
    await other.owner.delete(`${foreign}/post-mortem`),
    await other.owner.get(foreign.replace('/status-incidents', '/overview/status-incidents')),
    await other.owner.post(`${foreign}/posts`, { message: 'x' }),
  ])
    assert.equal(answer.status, 404, answer.text)
})

test('savePostMortem: only the newest are kept in memory, and an older one is still shown', async () => {
  const { page, path, shown, incident, team } = await withIncident({ status: 'RESOLVED' })
  await team.member.post(`${path}/post-mortem`, { message: 'The oldest of all.' })
  await fixture.db.run(
    `with i as (
       insert into status_incidents (id, org_id, title, status, impact, started_at, resolved_at)
       select gen_random_uuid(), org_id, 'Many ' || n, 'RESOLVED', 'NONE', now() + n * interval '1 s',
              now() + n * interval '1 s'
         from status_pages, generate_series(1, 31) n where id = $1 returning id, org_id
     ), p as (
       insert into status_incident_pages (org_id, status_incident_id, page_id, position)
       select org_id, id, $1, 1 from i
     )
     insert into status_incident_post_mortems
       (org_id, status_incident_id, message, notified_subscribers, created_at, updated_at)
     select org_id, id, repeat('x', 10000), false, now(), now() from i`,
    [toUuid(page.id)],
  )
  await untilShown(() => shown(''), /Many 31/)
  await untilShown(shown, /The oldest of all\./)
  assert.match(await shown('/history'), new RegExp(`${incident.id}#post-mortem`))
})
