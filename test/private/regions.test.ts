// The home region of an organization, as its owners and admins choose it.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { toUuid } from '../kit/ids.ts'
import { type AppFixture, startAppFixture } from './fixture.ts'
import { createTeam, type Team } from './screens.ts'

let fixture: AppFixture
let team: Team

before(async () => {
  fixture = await startAppFixture()
  await fixture.db.run(`insert into regions (name) values ('eu-west'), ('us-east')`)
  team = await createTeam(fixture)
})
after(() => fixture.stop())

const at = (path: string) => `/organizations/${team.orgId}${path}`
const chosen = async (orgId: string) => {
  const { home } = await fixture.db.one<{ home: string | null }>(
    'select home_region as home from organizations where id = $1',
    [toUuid(orgId)],
  )
  return home
}

test('changeHomeRegion: an owner chooses a known region and takes the choice back', async () => {
  const set = await team.owner.patch(at('/home-region'), { region: 'us-east' })
  assert.equal(set.status, 200, set.text)
  assert.equal(await chosen(team.orgId), 'us-east')
  const { home } = (await team.reader.get(at('/regions'))).json as { home: string }
  assert.equal(home, 'us-east')
  assert.equal((await team.owner.patch(at('/home-region'), { region: null })).status, 200)
  assert.equal(await chosen(team.orgId), null)
})

test('changeHomeRegion: the audit log names who did it', async () => {
  await team.owner.patch(at('/home-region'), { region: 'eu-west' })
  const { data } = (await team.owner.get(at('/audit-log?action=changeHomeRegion'))).json as {
    data: { actor: { type: string } }[]
  }
  assert.equal(data[0]?.actor.type, 'USER')
})

test('changeHomeRegion 403: members and readers may not', async () => {
  for (const visitor of [team.member, team.reader])
    assert.equal((await visitor.patch(at('/home-region'), { region: 'us-east' })).status, 403)
})

test('changeHomeRegion 400: what is no region is refused, and nothing changes', async () => {
  await team.owner.patch(at('/home-region'), { region: 'eu-west' })
  for (const region of ['mars', '', 'EU-WEST', 'a'.repeat(65), 7, ['eu-west'], "eu' or 1=1"]) {
    const answer = await team.owner.patch(at('/home-region'), { region })
    assert.equal(answer.status, 400, JSON.stringify(region))
    assert.deepEqual(answer.paths, ['region'])
  }
  assert.equal((await team.owner.patch(at('/home-region'), {})).status, 400)
  assert.equal(await chosen(team.orgId), 'eu-west')
})

test('changeHomeRegion: another organization keeps its own', async () => {
  const other = await createTeam(fixture)
  await team.owner.patch(at('/home-region'), { region: 'us-east' })
  assert.equal(await chosen(other.orgId), null)
  const foreign = await other.owner.patch(at('/home-region'), { region: null })
  assert.equal(foreign.status, 404)
  assert.equal(await chosen(team.orgId), 'us-east')
})

test('listRegions: probes with name, version, lateness and last word, and nothing else', async () => {
  await fixture.db.run(
    `insert into probes (region, name, version, late_ms, last_seen_at, public_key)
     values ('eu-west', 'eu-west-1', '0.2.0', 12, now(), 'UKEY'), ('us-east', 'us-east-1', null, null, null, null)`,
  )
  const answer = await team.reader.get(at('/regions'))
  const { data } = answer.json as {
    data: { name: string; probes: { name: string; isLive: boolean; lateMs: number | null }[] }[]
  }
  assert.deepEqual(
    data.map(({ name, probes }) => [name, probes.map((probe) => [probe.name, probe.isLive])]),
    [
      ['eu-west', [['eu-west-1', true]]],
      ['us-east', [['us-east-1', false]]],
    ],
  )
  assert.deepEqual(Object.keys(data[0]?.probes[0] ?? {}).toSorted(), [
    'isLive',
    'isRevoked',
    'lastSeenAt',
    'lateMs',
    'name',
    'version',
  ])
  assert.ok(!answer.text.includes('UKEY'))
})
