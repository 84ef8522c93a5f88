// Tags: names, limits, who has which, and finding monitors by them.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Visitor } from '../kit/private-client.ts'
import { type AppFixture, startAppFixture } from './fixture.ts'
import { createTeam, readCsv, type Team } from './screens.ts'

const MAX_TAGS = 200
const MAX_OF_MONITOR = 20

type Tag = { id: string; name: string; monitors: number }

let fixture: AppFixture
before(async () => {
  fixture = await startAppFixture()
})
after(() => fixture.stop())

const http = (name: string) => ({ name, type: 'HTTP', url: `https://${name}.example.com/` })
const pathOf = (team: Team, path: string) => `/organizations/${team.orgId}${path}`
const numbered = (count: number, prefix = 'tag') =>
  Array.from({ length: count }, (_, index) => `${prefix} ${index}`)

async function listed(team: Team): Promise<Tag[]> {
  return ((await team.reader.get(pathOf(team, '/tags'))).json as { data: Tag[] }).data
}

async function setTags(team: Team, monitorId: string, names: string[], who: Visitor = team.member) {
  return who.post(pathOf(team, `/monitors/${monitorId}/tags`), { names })
}

async function namesOf(team: Team, query: string): Promise<string[]> {
  const { data } = await team.read('monitors', `/overview/monitors?sort=name&${query}`)
  return data.map(({ name }) => name)
}

test('createTag, renameTag, deleteTag: names are trimmed, and unique whatever their case', async () => {
  const team = await createTeam(fixture)
  const create = (name: unknown) => team.member.post(pathOf(team, '/tags'), { name })
  const made = await create('  Production ')
  assert.equal(made.status, 201, made.text)
  const { id, name } = made.json as Tag
  assert.equal(name, 'Production')
  assert.match(id, /^tag_/)
  assert.equal((await create('PRODUCTION')).code, 'conflict')
  for (const bad of ['', '   ', 'x'.repeat(41), 'two\nlines', 'turned\u202eround', 7, null])
    assert.equal((await create(bad)).code, 'validation_error', JSON.stringify(bad))
  assert.equal((await create('x'.repeat(40))).status, 201)

  const other = (await create('eu')).json as Tag
  const rename = (tagId: string, to: string) =>
    team.member.request('PATCH', pathOf(team, `/tags/${tagId}`), { body: { name: to } })
  assert.equal((await rename(other.id, 'production')).code, 'conflict')
  assert.equal(((await rename(other.id, 'EU')).json as Tag).name, 'EU', 'its own name in capitals')
  assert.equal((await rename('tag_01m7ef2j5re008007k9b361f3r', 'x')).status, 404)

  assert.equal((await team.reader.post(pathOf(team, '/tags'), { name: 'no' })).status, 403)
  const gone = await team.member.request('DELETE', pathOf(team, `/tags/${id}`))
  assert.equal(gone.status, 200, gone.text)
  assert.equal((await team.member.request('DELETE', pathOf(team, `/tags/${id}`))).status, 404)
  assert.deepEqual(
    (await listed(team)).map((tag) => tag.name),
    ['EU', 'x'.repeat(40)],
  )
})

test('setMonitorTags: makes tags of new names, replaces the others, and counts them', async () => {
  const team = await createTeam(fixture)
  const [shop, api] = [
    await team.createMonitor(http('shop')),
    await team.createMonitor(http('api')),
  ]
  assert.equal((await setTags(team, shop.id, ['Prod', ' eu', 'PROD'])).status, 200)
  assert.equal((await setTags(team, api.id, ['prod'])).status, 200)
  assert.deepEqual(
    (await listed(team)).map(({ name, monitors }) => [name, monitors]),
    [
      ['eu', 1],
      ['Prod', 2],
    ],
  )
  const screen = await team.read('monitor', `/overview/monitors/${shop.id}`)
  assert.deepEqual(
    screen.tags.map(({ name }) => name),
    ['eu', 'Prod'],
  )
  assert.equal((await setTags(team, shop.id, [])).status, 200)
  assert.deepEqual((await team.read('monitor', `/overview/monitors/${shop.id}`)).tags, [])
  assert.equal((await setTags(team, 'mon_01m7ef2j5re008007k9b361f3r', ['x'])).status, 404)
  assert.equal((await setTags(team, shop.id, ['x'], team.reader)).status, 403)
  await team.owner.request('DELETE', pathOf(team, `/monitors/${api.id}`))
  assert.deepEqual(
    (await listed(team)).map(({ monitors }) => monitors),
    [0, 0],
    'a deleted monitor has no tags',
  )
  const log = await fixture.db.one<{ count: number }>(
    `select count(*)::integer as count from audit_log where action = 'setMonitorTags' and resource_id = $1`,
    [shop.id],
  )
  assert.equal(log.count, 2)
})

test('a monitor has at most 20 tags, also when requests run at the same time', async () => {
  const team = await createTeam(fixture)
  const monitor = await team.createMonitor(http('shop'))
  assert.equal((await setTags(team, monitor.id, numbered(MAX_OF_MONITOR))).status, 200)
  const more = await setTags(team, monitor.id, numbered(MAX_OF_MONITOR + 1))
  assert.equal(more.code, 'validation_error')
  await Promise.all(
    numbered(6, 'set').map((prefix) => setTags(team, monitor.id, numbered(MAX_OF_MONITOR, prefix))),
  )
  const { tags } = await team.read('monitor', `/overview/monitors/${monitor.id}`)
  assert.equal(tags.length, MAX_OF_MONITOR)
  assert.equal(
    new Set(tags.map(({ name }) => name.slice(0, 5))).size,
    1,
    'one request won as a whole',
  )
})

test('an organization has at most 200 tags, also when requests run at the same time', async () => {
  const team = await createTeam(fixture)
  const monitors = await Promise.all(
    numbered(12, 'm').map((name) => team.createMonitor(http(name.replace(' ', '')))),
  )
  const answers = await Promise.all(
    monitors.map(({ id }, index) => setTags(team, id, numbered(MAX_OF_MONITOR, `set ${index}`))),
  )
  const made = answers.filter(({ status }) => status === 200).length
  assert.equal(made, MAX_TAGS / MAX_OF_MONITOR)
  assert.deepEqual(
    new Set(answers.filter(({ status }) => status !== 200).map(({ code }) => code)),
    new Set(['plan_limit']),
  )
  const all = await listed(team)
  assert.equal(all.length, MAX_TAGS)
  const beyond = await Promise.all(
    numbered(3, 'late').map((name) => team.member.post(pathOf(team, '/tags'), { name })),
  )
  assert.deepEqual(
    beyond.map(({ code }) => code),
    ['plan_limit', 'plan_limit', 'plan_limit'],
  )
})

test('two requests that make the same tag make one', async () => {
  const team = await createTeam(fixture)
  const answers = await Promise.all(
    ['Prod', 'prod', 'PROD', ' prod '].map((name) =>
      team.member.post(pathOf(team, '/tags'), { name }),
    ),
  )
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 409, 409, 409])
  assert.equal((await listed(team)).length, 1)
})

test('listMonitorRows: by all of several tags, and by a part of a tag', async () => {
  const team = await createTeam(fixture)
  for (const [name, ...tags] of [['a', 'Prod', 'EU'], ['b', 'Prod'], ['c', 'EU'], ['d']] as const) {
    const { id } = await team.createMonitor(http(name))
    await setTags(team, id, [...tags])
  }
  const ids = new Map((await listed(team)).map(({ id, name }) => [name, id]))
  const [prod, eu] = [ids.get('Prod'), ids.get('EU')]
  assert.deepEqual(await namesOf(team, `tag=${prod}`), ['a', 'b'])
  assert.deepEqual(await namesOf(team, `tag=${prod},${eu}`), ['a'])
  assert.deepEqual(await namesOf(team, `tag=${prod},${prod}`), ['a', 'b'])
  assert.deepEqual(await namesOf(team, `tag=${prod}&q=b.example`), ['b'])
  assert.deepEqual(await namesOf(team, 'q=pro'), ['a', 'b'])
  assert.deepEqual(await namesOf(team, 'tag=tag_01m7ef2j5re008007k9b361f3r'), [])
  assert.deepEqual(await namesOf(team, `tag=${prod},nothing`), [])
  const { counts, pagination } = await team.read('monitors', `/overview/monitors?tag=${prod}`)
  assert.deepEqual([counts.all, pagination.total], [2, 2])
  const tooMany = Array.from({ length: MAX_OF_MONITOR + 1 }, () => prod).join(',')
  const refused = await team.reader.get(pathOf(team, `/overview/monitors?tag=${tooMany}`))
  assert.equal(refused.code, 'validation_error')

  const csv = readCsv(
    (await team.reader.get(pathOf(team, `/exports/monitors.csv?tag=${eu}&sort=name`))).text,
  )
  assert.deepEqual(
    csv.map((cells) => cells.at(-1)),
    ['tags', 'EU, Prod', 'EU'],
  )
  const everything = (await team.owner.get(pathOf(team, '/exports/everything.ndjson'))).text
  const lines = everything
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
  assert.equal(lines.filter(({ type }) => type === 'tag').length, 2)
  assert.deepEqual(
    lines
      .filter(({ type }) => type === 'monitorTags')
      .map(({ data }) => data.tags?.length)
      .toSorted(),
    [1, 1, 2],
  )
})

test("another organization's tags can neither be seen, used, changed nor found by", async () => {
  const [mine, theirs] = [await createTeam(fixture), await createTeam(fixture)]
  const monitor = await theirs.createMonitor(http('secret'))
  await setTags(theirs, monitor.id, ['Theirs'])
  const [tag] = await listed(theirs)
  assert.ok(tag)
  const own = await mine.createMonitor(http('own'))
  await setTags(mine, own.id, ['Theirs'])
  assert.notEqual((await listed(mine))[0]?.id, tag.id)
  assert.equal((await setTags(mine, monitor.id, ['x'], mine.owner)).status, 404)
  const path = pathOf(mine, `/tags/${tag.id}`)
  assert.equal((await mine.owner.request('PATCH', path, { body: { name: 'x' } })).status, 404)
  assert.equal((await mine.owner.request('DELETE', path)).status, 404)
  assert.deepEqual(await namesOf(mine, `tag=${tag.id}`), [])
  const tagged = (await mine.reader.get(pathOf(mine, '/tagged-monitors'))).json as {
    data: Line['data'][]
  }
  assert.deepEqual(
    tagged.data.map(({ id }) => id),
    [own.id],
  )
  assert.deepEqual(await listed(theirs), [{ ...tag, monitors: 1 }])
})

type Line = { type: string; data: { id: string; tags?: unknown[] } }
