// Lists by offset, read while they change.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isApiError, Upvane, UpvaneError } from '../src/index.ts'
import { KEY, send, sendError, startServer } from './server.ts'

type Item = { id: string }

/** A collection as the API lists it: newest first. */
class Collection {
  items: Item[] = []
  #count = 0

  constructor(size: number) {
    this.add(size)
  }

  add(count: number): void {
    for (let each = 0; each < count; each++) this.items.unshift({ id: `mon_${++this.#count}` })
  }

  removeAt(position: number): void {
    if (this.items.length > 0) this.items.splice(position % this.items.length, 1)
  }

  page(url: string): object {
    const { searchParams } = new URL(url, 'http://x')
    const [limit, offset] = ['limit', 'offset'].map((name) => Number(searchParams.get(name)))
    const data = this.items.slice(offset, Number(offset) + Number(limit))
    return { data, pagination: { limit, offset, total: this.items.length } }
  }
}

const idsOf = (items: Iterable<Item>) => [...items].map(({ id }) => id)

test('1,000 monitors while 50 appear and 50 vanish: each lasting one exactly once', async (t) => {
  const collection = new Collection(1000)
  const before = idsOf(collection.items)
  const { client, exchanges } = await startServer(t, ({ number, url }, response) => {
    if (number > 1 && number <= 11) {
      collection.add(5)
      for (let each = 0; each < 5; each++) collection.removeAt(each * 150 + number * 30)
    }
    send(response, { body: collection.page(url) })
  })
  const seen: string[] = []
  for await (const { id } of client().monitors.list()) seen.push(id)
  const after = new Set(idsOf(collection.items))
  const lasting = before.filter((id) => after.has(id))
  assert.equal(lasting.length, 950)
  assert.equal(new Set(seen).size, seen.length, 'nothing twice')
  const seenLasting = seen.filter((id) => lasting.includes(id))
  assert.deepEqual(seenLasting, lasting, 'all of them, in order')
  assert.ok(exchanges.length <= 13, `${exchanges.length} requests`)
})

test('however a list changes between pages, lasting items come exactly once and in order', async () => {
  const change = fc.record({
    add: fc.oneof(fc.constant(0), fc.nat(250)),
    remove: fc.oneof(
      fc.constant([]),
      fc.array(fc.nat(1000), { maxLength: 250, size: 'max' }),
      // From the front, where the pages already read are.
      fc.nat(200).map((count) => Array.from({ length: count }, () => 0)),
    ),
  })
  const changes = fc.array(change, { maxLength: 12 })
  const property = fc.asyncProperty(fc.nat(600), changes, async (size, script) => {
    const collection = new Collection(size)
    const before = idsOf(collection.items)
    let requests = 0
    const fetch = async (url: string) => {
      const step = requests === 0 ? undefined : script[requests - 1]
      requests++
      collection.add(step?.add ?? 0)
      for (const position of step?.remove ?? []) collection.removeAt(position)
      return Response.json(collection.page(url))
    }
    const upvane = new Upvane({ apiKey: KEY, baseUrl: 'http://x', fetch })
    const seen: string[] = []
    for await (const { id } of upvane.monitors.list()) seen.push(id)
    // Changes that were not reached did not happen.
    const after = new Set(idsOf(collection.items))
    const lasting = before.filter((id) => after.has(id))
    const isLasting = new Set(lasting)
    assert.equal(new Set(seen).size, seen.length)
    assert.deepEqual(
      seen.filter((id) => isLasting.has(id)),
      lasting,
    )
  })
  await fc.assert(property, { numRuns: 300 })
})

test('deleting each item while iterating leaves none', async (t) => {
  const collection = new Collection(350)
  const { client } = await startServer(t, ({ method, url }, response) => {
    if (method === 'GET') return send(response, { body: collection.page(url) })
    const id = url.slice(url.lastIndexOf('/') + 1)
    collection.items = collection.items.filter((item) => item.id !== id)
    send(response, { body: { data: { id } } })
  })
  const upvane = client()
  for await (const { id } of upvane.monitors.list()) await upvane.monitors.delete(id)
  assert.deepEqual(collection.items, [])
})

test('a list that does not change: as few requests as overlapping pages allow', async (t) => {
  for (const [size, expected] of [
    [0, 1],
    [100, 1],
    [101, 2],
    [190, 2],
    [191, 3],
    [3000, 34],
  ] as const) {
    const collection = new Collection(size)
    const { client, exchanges } = await startServer(t, ({ url }, response) =>
      send(response, { body: collection.page(url) }),
    )
    const all = await client().monitors.list().all()
    assert.deepEqual(idsOf(all), idsOf(collection.items))
    assert.equal(exchanges.length, expected, `${size} items`)
  }
})

test('nothing is sent before the iteration, and none after it is left', async (t) => {
  const collection = new Collection(300)
  const { client, exchanges } = await startServer(t, ({ url }, response) =>
    send(response, { body: collection.page(url) }),
  )
  const list = client().monitors.list()
  await new Promise((resolve) => setTimeout(resolve, 20))
  assert.equal(exchanges.length, 0)
  for await (const _ of list) break
  assert.equal(exchanges.length, 1)
})

test('all() throws beyond max, page() shows one page, an error ends the iteration', async (t) => {
  const collection = new Collection(120)
  const { client } = await startServer(t, ({ url, number }, response) => {
    if (number > 3) return sendError(response, 401, 'unauthorized')
    send(response, { body: collection.page(url) })
  })
  const list = client().monitors.list({ type: 'HTTP' })
  const { data, pagination } = await list.page({ limit: 7, offset: 3 })
  assert.equal(data.length, 7)
  assert.deepEqual(pagination, { limit: 7, offset: 3, total: 120 })
  await assert.rejects(list.all({ max: 119 }), (error) => error instanceof UpvaneError)
  await assert.rejects(list.all(), (error) => isApiError(error, 'unauthorized'))
})

test('a list beyond what offsets reach ends with an error, not silently', async () => {
  const fetch = async (url: string) => {
    const offset = Number(new URL(url).searchParams.get('offset'))
    const data = Array.from({ length: 100 }, (_, each) => ({ id: `mon_${offset + each}` }))
    return Response.json({ data, pagination: { limit: 100, offset, total: 200_000 } })
  }
  const upvane = new Upvane({ apiKey: KEY, baseUrl: 'http://x', fetch })
  let count = 0
  const walk = async () => {
    for await (const _ of upvane.monitors.list()) count++
  }
  await assert.rejects(walk, /no item beyond 100,000/)
  assert.ok(count > 100_000)
})
