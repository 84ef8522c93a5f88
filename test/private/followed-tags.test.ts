// Sections that follow a tag: what they publish, when they change, and what is refused.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Visitor } from '../kit/private-client.ts'
import type { StatusPage } from '../kit/status-shapes.ts'
import { type AppFixture, startAppFixture } from './fixture.ts'
import { createTeam, type Team } from './screens.ts'

const MAX_COMPONENTS = 200
const ROUND = 50
const UNKNOWN = '01m7ef2j5re008007k9b361f3r'

let fixture: AppFixture
before(async () => {
  fixture = await startAppFixture()
})
after(() => fixture.stop())

const at = (team: Team, path: string) => `/organizations/${team.orgId}${path}`
const http = (name: string) => ({ name, type: 'HTTP', url: `https://${name}.example.com/` })
type Tag = { id: string; name: string; monitors: number; statusPages: string[] }

async function tagIdOf(team: Team, name: string): Promise<string> {
  const { data } = (await team.reader.get(at(team, '/tags'))).json as { data: Tag[] }
  return data.find((tag) => tag.name === name)?.id ?? ''
}

async function setTags(team: Team, monitorId: string, names: string[]): Promise<void> {
  const answer = await team.member.post(at(team, `/monitors/${monitorId}/tags`), { names })
  assert.equal(answer.status, 200, answer.text)
}

async function createPage(team: Team, sections: object[]): Promise<StatusPage> {
  const answer = await team.owner.post(at(team, '/status-pages'), { name: 'Acme', sections })
  assert.equal(answer.status, 201, answer.text)
  return answer.json as StatusPage
}

async function readPage(team: Team, { id }: StatusPage): Promise<StatusPage> {
  return (await team.reader.get(at(team, `/status-pages/${id}`))).json as StatusPage
}

const namesOf = (page: StatusPage): string[][] =>
  page.sections.map(({ components }) => components.map(({ name }) => name))

type Wish = { tagId: string | null; expected?: number }
const follow = (team: Team, page: StatusPage, wish: Wish, who: Visitor = team.member) =>
  who.post(at(team, `/status-pages/${page.id}/sections/${page.sections[0]?.id}/tag`), wish)

async function createScene() {
  const team = await createTeam(fixture)
  const [shop, api, other] = [
    await team.createMonitor(http('shop')),
    await team.createMonitor(http('api')),
    await team.createMonitor(http('other')),
  ]
  await setTags(team, shop.id, ['Public'])
  await setTags(team, api.id, ['Public', 'eu'])
  const page = await createPage(team, [
    { name: 'Services', components: [{ monitorId: other.id }, { name: 'Phone' }] },
    { name: 'More', components: [{ monitorId: shop.id }] },
  ])
  return { team, page, shop, api, other, tagId: await tagIdOf(team, 'Public') }
}

test('setSectionTag: the section shows what has the tag, now and later; what people set by hand stays', async () => {
  const { team, page, shop, other, tagId } = await createScene()
  const answer = await follow(team, page, { tagId, expected: 2 })
  assert.equal(answer.status, 200, answer.text)
  assert.deepEqual(namesOf(await readPage(team, page)), [['Phone', 'api', 'shop'], ['shop']])

  await setTags(team, other.id, ['public'])
  await setTags(team, shop.id, [])
  assert.deepEqual(namesOf(await readPage(team, page)), [['Phone', 'api', 'other'], ['shop']])
  const [first] = (await readPage(team, page)).sections
  const html = await (await fetch(page.url)).text()
  assert.match(html, />other</, 'the public page has it')

  const screen = (await team.reader.get(at(team, `/overview/status-pages/${page.id}`))).json as {
    sections: { tag: { name: string } | null }[]
  }
  assert.deepEqual(
    screen.sections.map(({ tag }) => tag?.name),
    ['Public', undefined],
  )
  const { data } = (await team.reader.get(at(team, '/tags'))).json as { data: Tag[] }
  assert.deepEqual(
    data.map(({ name, statusPages }) => [name, statusPages]),
    [
      ['eu', []],
      ['Public', ['Acme']],
    ],
  )

  // A component that is renamed keeps its id and its name; one that is removed comes back.
  const components = first?.components.filter(({ name }) => name === 'api')
  const sections = [
    { id: first?.id, components: components?.map(({ id }) => ({ id, name: 'API' })) },
  ]
  const changed = await team.owner.patch(at(team, `/status-pages/${page.id}`), { sections })
  assert.deepEqual(namesOf(changed.json as StatusPage), [['API', 'other']])

  await team.member.delete(at(team, `/tags/${tagId}`))
  assert.deepEqual(
    namesOf(await readPage(team, page)),
    [['API', 'other']],
    'without the tag it stays',
  )
})

test('setSectionTag null: it ends, and later tags publish nothing', async () => {
  const { team, page, other, tagId } = await createScene()
  await follow(team, page, { tagId, expected: 2 })
  assert.equal((await follow(team, page, { tagId: null })).status, 200)
  await setTags(team, other.id, ['Public'])
  assert.deepEqual(namesOf(await readPage(team, page)), [['Phone', 'api', 'shop'], ['shop']])
})

test('setSectionTag: a bulk that adds the tag publishes, one that removes it withdraws', async () => {
  const { team, page, other, tagId } = await createScene()
  await follow(team, page, { tagId, expected: 2 })
  const change = async (wish: object) => {
    const body = { do: 'TAGS', monitorIds: [other.id], expected: 1, ...wish }
    const { id } = (await team.member.post(at(team, '/monitor-bulks'), body)).json as { id: string }
    await team.member.post(at(team, `/monitor-bulks/${id}/rounds`))
    return namesOf(await readPage(team, page))[0]
  }
  assert.deepEqual(await change({ addTags: ['Public'] }), ['Phone', 'api', 'shop', 'other'])
  assert.deepEqual(await change({ removeTagIds: [tagId] }), ['Phone', 'api', 'shop'])
})

test('setSectionTag: refused when more would be published than was shown, and for strangers', async () => {
  const { team, page, tagId } = await createScene()
  const before = namesOf(await readPage(team, page))
  assert.equal((await follow(team, page, { tagId, expected: 1 })).code, 'conflict')
  assert.equal((await follow(team, page, { tagId: `tag_${UNKNOWN}`, expected: 9 })).status, 404)
  assert.equal((await follow(team, page, { tagId: 'x', expected: 9 })).status, 404)
  assert.equal((await follow(team, page, { tagId, expected: 2 }, team.reader)).status, 403)
  const foreign = await createScene()
  assert.equal((await follow(team, page, { tagId: foreign.tagId, expected: 9 })).status, 404)
  const elsewhere = `/status-pages/${page.id}/sections/${foreign.page.sections[0]?.id}/tag`
  assert.equal((await team.member.post(at(team, elsewhere), { tagId, expected: 2 })).status, 404)
  assert.equal((await follow(foreign.team, page, { tagId: null })).status, 404)
  assert.deepEqual(namesOf(await readPage(team, page)), before)
})

test('setSectionTag: in the audit log with the names that were published', async () => {
  const { team, page, tagId } = await createScene()
  await follow(team, page, { tagId, expected: 2 })
  const { data } = (await team.owner.get(at(team, '/audit-log'))).json as {
    data: { action: string; resourceName: string; changes: { field: string; to: string }[] }[]
  }
  const [entry] = data
  assert.deepEqual([entry?.action, entry?.resourceName], ['setSectionTag', 'Acme'])
  const to = Object.fromEntries(entry?.changes.map(({ field, to: value }) => [field, value]) ?? [])
  assert.match(to['sections'] ?? '', /api, shop/)
  assert.equal(to['followedTags'], 'Public')
})

test('setSectionTag: a page never has more than 200 components', async () => {
  const { team, page, tagId } = await createScene()
  await follow(team, page, { tagId, expected: 2 })
  const ids: string[] = []
  for (let index = 0; index < MAX_COMPONENTS; index++)
    ids.push((await team.createMonitor({ name: `m${index}`, type: 'CRON' })).id)
  const body = { do: 'TAGS', monitorIds: ids, expected: ids.length, addTags: ['Public'] }
  const made = await team.member.post(at(team, '/monitor-bulks'), body)
  const { id, left } = made.json as { id: string; left: number }
  for (let done = 0; done < left; done += ROUND)
    await team.member.post(at(team, `/monitor-bulks/${id}/rounds`))
  const sizes = (await readPage(team, page)).sections.map(({ components }) => components.length)
  assert.equal(
    sizes.reduce((sum, size) => sum + size, 0),
    MAX_COMPONENTS,
  )
  const { data } = (await team.reader.get(at(team, '/tags'))).json as { data: Tag[] }
  assert.equal(data.find(({ name }) => name === 'Public')?.monitors, MAX_COMPONENTS + 2)
  const full = await createPage(team, [{ name: 'All', components: [] }])
  const expected = MAX_COMPONENTS + 2
  assert.equal((await follow(team, full, { tagId, expected })).code, 'conflict')
})
