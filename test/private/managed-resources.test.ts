// Which file manages a resource, as members see it.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type AppFixture, startAppFixture } from './fixture.ts'
import { createTeam, type Team } from './screens.ts'

type Managed = { id: string; source: string; address: string }

let fixture: AppFixture
before(async () => {
  fixture = await startAppFixture()
})
after(() => fixture.stop())

async function managed(team: Team, ids: readonly string[]): Promise<Managed[]> {
  const query = ids.map((id) => `id=${encodeURIComponent(id)}`).join('&')
  const path = `/organizations/${team.orgId}/managed-resources?${query}`
  const answer = await team.reader.get(path)
  assert.equal(answer.status, 200, answer.text)
  return (answer.json as { data: Managed[] }).data
}

test('listManagedResources: those that a file manages, of the own organization, and no other', async () => {
  const [ours, theirs] = [await createTeam(fixture), await createTeam(fixture)]
  const organizations = await Promise.all(
    [ours, theirs].map(async ({ orgId }) => fixture.api.as(await fixture.createKey(orgId))),
  )
  const ids: string[] = []
  for (const api of organizations) {
    const { id } = await api.createMonitor()
    ids.push(id)
    const bindings = [{ address: 'monitors.a', id }]
    const put = await api.put('/api/ext/v1/sources/shop/bindings', { revision: 0, bindings })
    assert.equal(put.status, 200, put.text)
  }
  const [own = '', foreign = ''] = ids
  assert.deepEqual(await managed(ours, [own, foreign, 'x', 'mon_x', '__proto__']), [
    { id: own, source: 'shop', address: 'monitors.a' },
  ])
  assert.deepEqual(await managed(ours, []), [])
  const many = Array.from({ length: 101 }, () => `id=${own}`).join('&')
  const path = `/organizations/${ours.orgId}/managed-resources?${many}`
  assert.equal((await ours.reader.get(path)).code, 'validation_error')
})
