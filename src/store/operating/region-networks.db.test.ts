// Which networks are known of a region, in PostgreSQL.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  type DbFixture,
  startDbFixture,
  type TestDatabase,
} from '../../../test/db-kit/db-fixture.ts'
import { movedRegions } from '../../domain/operating/region-networks.ts'
import { listProbes, recordProbes } from './probes.ts'
import { recordRegionNetworks } from './region-networks.ts'

let fixture: DbFixture
let database: TestDatabase

before(async () => {
  fixture = await startDbFixture()
  database = await fixture.openDatabase()
})
after(() => fixture.stop())

async function announce(region: string, ...networks: string[]): Promise<boolean> {
  const announced = new Map([[region, new Set(networks)]])
  const known = await database.engine.transaction(undefined, (tx) =>
    recordRegionNetworks(tx, announced),
  )
  return movedRegions(known, announced, new Date()).includes(region)
}
const age = (interval: string) =>
  database.admin.query(
    `update region_networks set first_seen_at = first_seen_at - interval '${interval}',
                                last_seen_at = last_seen_at - interval '${interval}'`,
  )

test('a region that comes back from other networks was moved, for a day', async () => {
  assert.equal(await announce('eu', 'a', 'b'), false, 'a new region')
  await age('7 days')
  assert.equal(await announce('eu', 'b', 'c'), false, 'one network is known')
  assert.equal(await announce('eu', 'd'), true)
  assert.equal(await announce('us', 'd'), false, 'another region may be there')
  await age('25 hours')
  assert.equal(await announce('eu', 'd'), false, 'by now it is at home there')
})

test('networks that were not seen for 90 days are forgotten, and a region has at most 200', async () => {
  await announce('old', 'a')
  await age('91 days')
  assert.equal(await announce('old', 'b'), false)
  for (let i = 0; i < 5; i++)
    await announce('many', ...Array.from({ length: 50 }, (_, j) => `n${i}-${j}`))
  const { rows } = await database.admin.query<{ region: string; n: number }>(
    'select region, count(*)::int as n from region_networks group by 1 order by 1',
  )
  assert.deepEqual(rows, [
    { region: 'many', n: 200 },
    { region: 'old', n: 1 },
  ])
})

test('a probe is listed with whether its responses prove its name', async () => {
  const common = { region: 'eu', lateMs: 0, version: '0.2.0' }
  await recordProbes(database.engine, [
    { ...common, probe: 'eu-1', answerKey: 'k' },
    { ...common, probe: 'eu-2' },
  ])
  await database.admin.query(`insert into probes (region, name) values ('eu', 'eu-3')`)
  const probes = await listProbes(database.engine)
  const found = probes.map(({ name, provesName }) => [name, provesName])
  assert.deepEqual(found, [
    ['eu-1', true],
    ['eu-2', false],
    ['eu-3', null],
  ])
})
