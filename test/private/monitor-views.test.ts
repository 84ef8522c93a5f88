// Saved views of the monitor list: shared by the organization, limited, and with names of their own.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type AppFixture, startAppFixture } from './fixture.ts'
import { createTeam, type Team } from './screens.ts'

const MAX_VIEWS = 50
type View = { id: string; name: string; filter: Record<string, unknown> }

let fixture: AppFixture
before(async () => {
  fixture = await startAppFixture()
})
after(() => fixture.stop())

const at = (team: Team, path = '') => `/organizations/${team.orgId}/monitor-views${path}`
const save = (team: Team, name: unknown, filter: object = { state: 'DOWN' }) =>
  team.member.post(at(team), { name, filter })
const list = async (team: Team) => ((await team.reader.get(at(team))).json as { data: View[] }).data

test('saveMonitorView, renameMonitorView, deleteMonitorView: everyone sees them, members change them', async () => {
  const team = await createTeam(fixture)
  const filter = {
    q: 'shop',
    state: 'DOWN',
    type: 'HTTP',
    tagId: 'tag_x',
    sort: 'name',
    reversed: true,
  }
  const made = await save(team, '  Broken shops ', filter)
  assert.equal(made.status, 201, made.text)
  const view = made.json as View
  assert.deepEqual([view.name, view.filter], ['Broken shops', filter])
  assert.deepEqual(await list(team), [view])
  assert.equal((await save(team, 'BROKEN SHOPS')).code, 'conflict')
  const rename = (name: string) => team.member.patch(at(team, `/${view.id}`), { name })
  assert.equal(((await rename('broken Shops')).json as View).name, 'broken Shops')
  await save(team, 'Other')
  assert.equal((await rename('OTHER')).code, 'conflict')
  assert.equal((await team.reader.post(at(team), { name: 'x', filter: {} })).status, 403)

  const other = await createTeam(fixture)
  assert.deepEqual(await list(other), [])
  assert.equal((await other.member.patch(at(other, `/${view.id}`), { name: 'x' })).status, 404)
  assert.equal((await other.member.delete(at(other, `/${view.id}`))).status, 404)
  assert.equal((await team.member.delete(at(team, `/${view.id}`))).status, 200)
  assert.equal((await team.member.delete(at(team, `/${view.id}`))).status, 404)
  const log = (await team.owner.get(`/organizations/${team.orgId}/audit-log`)).json as {
    data: { action: string; resourceName: string }[]
  }
  assert.deepEqual(log.data.map(({ action, resourceName }) => [action, resourceName]).slice(0, 2), [
    ['deleteMonitorView', 'broken Shops'],
    ['saveMonitorView', 'Other'],
  ])
})

test('saveMonitorView 400: names and filters are bounded', async () => {
  const team = await createTeam(fixture)
  for (const name of ['', '   ', 'x'.repeat(61), 'two\nlines', 7, null])
    assert.equal((await save(team, name)).code, 'validation_error', JSON.stringify(name))
  const filters = [{ q: '' }, { q: 'x'.repeat(101) }, { state: 'BROKEN' }, { sort: 1 }, []]
  for (const filter of filters)
    assert.equal((await save(team, 'x', filter)).code, 'validation_error', JSON.stringify(filter))
  assert.deepEqual(await list(team), [])
})

test('an organization has at most 50 views, also when requests run at the same time', async () => {
  const team = await createTeam(fixture)
  for (let index = 0; index < MAX_VIEWS - 2; index++) await save(team, `View ${index}`)
  const late = await Promise.all(['a', 'b', 'c', 'd'].map((name) => save(team, name)))
  assert.deepEqual(late.map(({ status }) => status).toSorted(), [201, 201, 422, 422])
  assert.equal((await list(team)).length, MAX_VIEWS)
})
