// Status pages through the API; their contents have a separate file.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { startProduct } from '../kit/fixture.ts'
import { toUuid } from '../kit/ids.ts'
import { type StatusPage, toList, toPage } from '../kit/status-shapes.ts'

const fixture = await startProduct()
const { api, db, stack, service } = fixture
const other = await fixture.createOrganization()
after(() => fixture.stop())

const PATH = '/status-pages'
const unique = (prefix = 'page') => `${prefix}-${randomUUID().slice(0, 12)}`
const create = (fields: Record<string, unknown> = {}) =>
  api.post(PATH, { name: 'Page', slug: unique(), ...fields })
const made = async (fields: Record<string, unknown> = {}) => toPage(await create(fields))
const patch = (id: string, fields: unknown) => api.patch(`${PATH}/${id}`, fields)
const read = async (id: string) => toPage(await api.get(`${PATH}/${id}`))
const hashOf = async (id: string) =>
  (
    await db.one<{ h: string | null }>(
      'select password_hash as h from status_pages where id = $1',
      [toUuid(id)],
    )
  ).h

describe('createStatusPage', { concurrency: 8 }, () => {
  test('createStatusPage 201: the name alone; everything else has its default', async () => {
    const name = unique('Shop')
    const answer = await api.post(PATH, { name })
    const { id, createdAt, updatedAt, ...rest } = toPage(answer)
    const slug = name.toLowerCase()
    assert.deepEqual(rest, {
      name,
      slug,
      url: `${service.baseUrl}/status/${slug}`,
      description: null,
      published: true,
      customDomain: null,
      customDomainStatus: 'NONE',
      passwordProtected: false,
      theme: 'SYSTEM',
      accentColor: null,
      logoUrl: null,
      faviconUrl: null,
      homepageUrl: null,
      supportUrl: null,
      locale: 'en',
      timezone: 'UTC',
      historyDays: 90,
      showUptime: true,
      showResponseTime: false,
      allowIndexing: true,
      subscribersEnabled: true,
      sections: [],
      state: 'UNKNOWN',
    })
    assert.equal(answer.headers['location'], `/api/v1${PATH}/${id}`)
    assert.equal(createdAt, updatedAt)
    assert.ok(Math.abs(Date.parse(createdAt) - Date.now()) < 20_000)
    assert.equal((await api.get(`${PATH}/${id}`)).text, answer.text)
  })

  test('createStatusPage 201: every field as sent', async () => {
    const fields = {
      name: 'Öffentlich 😀',
      slug: unique('all'),
      description: 'Läden & Lager',
      published: false,
      theme: 'DARK',
      accentColor: '#5443D2',
      logoUrl: 'https://example.com/logo.svg',
      faviconUrl: 'http://example.com/favicon.ico',
      homepageUrl: 'HTTPS://example.com',
      supportUrl: 'https://example.com/help?a=ü#b',
      locale: 'de',
      timezone: 'Europe/Berlin',
      historyDays: 30,
      showUptime: false,
      showResponseTime: true,
      allowIndexing: false,
      subscribersEnabled: false,
    }
    const page = await made(fields)
    for (const [name, value] of Object.entries(fields))
      assert.deepEqual(page[name as 'name'], value, name)
    assert.deepEqual(await read(page.id), page)
  })

  test('createStatusPage 201: what a client may not set is ignored', async () => {
    const computed = { id: 'sp_x', url: 'https://x.example', state: 'OPERATIONAL', createdAt: 'x' }
    const more = { customDomainStatus: 'ACTIVE', passwordProtected: true, organizationId: 'org_x' }
    const page = await made({ ...computed, ...more })
    assert.deepEqual([page.state, page.customDomainStatus], ['UNKNOWN', 'NONE'])
    assert.equal(page.passwordProtected, false)
  })

  test('createStatusPage: a replay gives the same bytes and makes no second page', async () => {
    const headers = { 'Idempotency-Key': `page-${randomUUID()}` }
    const body = { name: 'Once', slug: unique('once'), password: 'correct horse' }
    const first = await api.post(PATH, body, { headers })
    const replay = await api.post(PATH, body, { headers })
    assert.deepEqual([replay.status, replay.isReplayed, replay.text], [201, true, first.text])
    const changed = await api.post(PATH, { ...body, password: 'other horse' }, { headers })
    assert.equal(changed.code, 'idempotency_conflict')
    assert.equal(await db.count('status_pages', 'slug = $1', [body.slug]), 1)
  })

  test('createStatusPage 400: a body is required', async () => {
    assert.deepEqual((await api.post(PATH)).paths, ['body'])
    assert.deepEqual((await api.post(PATH, {})).paths, ['name'])
  })
})

describe('status page fields', { concurrency: 8 }, () => {
  const long = (n: number) => 'x'.repeat(n)
  const rows: [what: string, fields: Record<string, unknown>, path: string][] = [
    ['no name', { name: undefined }, 'name'],
    ['an empty name', { name: '' }, 'name'],
    ['a name of 121', { name: long(121) }, 'name'],
    ['a name of null', { name: null }, 'name'],
    ['a name with a zero character', { name: 'a\u0000' }, 'name'],
    ['a slug of 2', { slug: 'ab' }, 'slug'],
    ['a slug of 64', { slug: long(64) }, 'slug'],
    ['a slug in capitals', { slug: 'Shop' }, 'slug'],
    ['a slug that starts with a hyphen', { slug: '-shop' }, 'slug'],
    ['a slug that ends with a hyphen', { slug: 'shop-' }, 'slug'],
    ['a slug with a dot', { slug: 'my.shop' }, 'slug'],
    ['a slug with another letter', { slug: 'shöp' }, 'slug'],
    ['a slug with a line end', { slug: 'shop\n' }, 'slug'],
    ['a slug of null', { slug: null }, 'slug'],
    ['a description of 2001', { description: long(2001) }, 'description'],
    ['published as text', { published: 'true' }, 'published'],
    ['a domain with a scheme', { customDomain: 'https://a.example.com' }, 'customDomain'],
    ['a domain with a port', { customDomain: 'a.example.com:80' }, 'customDomain'],
    ['a domain with a path', { customDomain: 'a.example.com/x' }, 'customDomain'],
    ['a domain with a final dot', { customDomain: 'a.example.com.' }, 'customDomain'],
    ['one label', { customDomain: 'localhost' }, 'customDomain'],
    ['an address', { customDomain: '192.168.10.20' }, 'customDomain'],
    ['an underscore', { customDomain: 'a_b.example.com' }, 'customDomain'],
    ['a label of 64', { customDomain: `${long(64)}.example.com` }, 'customDomain'],
    ['a domain of 254', { customDomain: `${`${long(49)}.`.repeat(5)}abcd` }, 'customDomain'],
    ['an empty domain', { customDomain: '' }, 'customDomain'],
    ['a password of 7', { password: long(7) }, 'password'],
    ['a password of 129', { password: long(129) }, 'password'],
    ['a password that is a number', { password: 12345678 }, 'password'],
    ['another theme', { theme: 'BLUE' }, 'theme'],
    ['a theme of null', { theme: null }, 'theme'],
    ['a color by name', { accentColor: 'red' }, 'accentColor'],
    ['a short color', { accentColor: '#fff' }, 'accentColor'],
    ['a color with alpha', { accentColor: '#ffffff00' }, 'accentColor'],
    ['a logo by script', { logoUrl: 'javascript:alert(1)' }, 'logoUrl'],
    ['a logo as data', { logoUrl: 'data:image/png;base64,AA' }, 'logoUrl'],
    ['a logo without a host', { logoUrl: 'https://' }, 'logoUrl'],
    ['a favicon of 2049', { faviconUrl: `https://a.example/${long(2031)}` }, 'faviconUrl'],
    ['a homepage that is none', { homepageUrl: 'https://a b/' }, 'homepageUrl'],
    ['a support address by mail', { supportUrl: 'mailto:a@example.com' }, 'supportUrl'],
    ['a support address that is none', { supportUrl: 'http://[::1' }, 'supportUrl'],
    ['another language', { locale: 'it' }, 'locale'],
    ['a language with a region', { locale: 'en-US' }, 'locale'],
    ['a language of null', { locale: null }, 'locale'],
    ['an unknown zone', { timezone: 'Europe/Atlantis' }, 'timezone'],
    ['an offset', { timezone: '+01:00' }, 'timezone'],
    ['an empty zone', { timezone: '' }, 'timezone'],
    ['6 days', { historyDays: 6 }, 'historyDays'],
    ['366 days', { historyDays: 366 }, 'historyDays'],
    ['half a day', { historyDays: 7.5 }, 'historyDays'],
    ['days as text', { historyDays: '90' }, 'historyDays'],
    ['showUptime as a number', { showUptime: 1 }, 'showUptime'],
    ['showResponseTime of null', { showResponseTime: null }, 'showResponseTime'],
    ['allowIndexing as text', { allowIndexing: 'no' }, 'allowIndexing'],
    ['subscribersEnabled of null', { subscribersEnabled: null }, 'subscribersEnabled'],
    ['sections of null', { sections: null }, 'sections'],
    ['monitorIds as text', { monitorIds: 'x' }, 'monitorIds'],
  ]
  for (const [what, fields, path] of rows)
    test(`create and updateStatusPage 400: ${what}, path ${path}`, async () => {
      const created = await create(fields)
      assert.deepEqual([created.code, ...new Set(created.paths)], ['validation_error', path])
      if (Object.values(fields).includes(undefined)) return
      const before = await made()
      const patched = await patch(before.id, fields)
      assert.deepEqual([patched.code, ...new Set(patched.paths)], ['validation_error', path])
      assert.deepEqual(await read(before.id), before)
    })

  test('create and updateStatusPage: fields up to their bounds', async () => {
    const { id } = await made()
    const inside: Record<string, unknown>[] = [
      { name: 'x' },
      { name: '😀'.repeat(120) },
      { slug: unique('a1-2--3') },
      { slug: `${unique('s')}${long(63)}`.slice(0, 63) },
      { description: '' },
      { description: long(2000) },
      { customDomain: `${unique('a-b')}.example.co.uk` },
      { customDomain: `${unique()}.xn--p1ai` },
      { customDomain: null },
      { accentColor: '#000000' },
      { accentColor: null },
      { logoUrl: `https://a.example/${long(2030)}` },
      { logoUrl: null },
      ...['en', 'de', 'fr', 'es', 'ja'].map((locale) => ({ locale })),
      ...['UTC', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5'].map((timezone) => ({ timezone })),
      { historyDays: 7 },
      { historyDays: 365 },
    ]
    for (const fields of inside) {
      const patched = toPage(await patch(id, fields))
      for (const [name, value] of Object.entries(fields))
        assert.deepEqual(patched[name as 'name'], value, name)
    }
    for (const fields of inside) {
      const [[name = '', value] = []] = Object.entries(fields)
      if (name === 'slug' || name === 'customDomain') continue
      assert.deepEqual((await made(fields))[name as 'name'], value, name)
    }
  })

  test('createStatusPage 400: every problem in one answer', async () => {
    const fields = { name: '', slug: 'A', theme: 'x', timezone: 'x/y', logoUrl: 'https://a b/' }
    const answer = await api.post(PATH, { ...fields, sections: [], monitorIds: [] })
    const paths = ['logoUrl', 'monitorIds', 'name', 'slug', 'theme', 'timezone']
    assert.deepEqual([...new Set(answer.paths)].toSorted(), paths)
  })
})

describe('slug', { concurrency: 4 }, () => {
  test('createStatusPage 201: made from the name, with an ending when it is taken', async () => {
    const word = randomUUID().slice(0, 8)
    const name = `Café ${word} & Straße!`
    const first = toPage(await api.post(PATH, { name }))
    assert.equal(first.slug, `cafe-${word}-strasse`)
    const foreign = toPage(await other.api.post(PATH, { name }))
    assert.equal(foreign.slug, `cafe-${word}-strasse-2`)
    assert.equal(toPage(await api.post(PATH, { name })).slug, `cafe-${word}-strasse-3`)
  })

  test('createStatusPage 201: names without a Latin letter, short and reserved ones get a slug too', async () => {
    for (const name of ['日本', 'Q', 'Status', 'API', '!', ' '])
      assert.ok(toPage(await api.post(PATH, { name })).slug.length >= 3, name)
  })

  test('create and updateStatusPage 409: taken here, taken elsewhere, reserved', async () => {
    const own = await made()
    const foreign = toPage(await other.api.post(PATH, { name: 'Theirs', slug: unique('theirs') }))
    const page = await made()
    for (const slug of [own.slug, foreign.slug, 'api', 'status', 'admin', 'www', 'login', 'docs']) {
      assert.equal((await create({ slug })).code, 'conflict', slug)
      assert.equal((await patch(page.id, { slug, name: 'Lost' })).code, 'conflict', slug)
    }
    assert.deepEqual(await read(page.id), page)
    assert.equal(toPage(await patch(page.id, { slug: page.slug })).slug, page.slug)
  })

  test('updateStatusPage 200: a slug that was given up is free', async () => {
    const [first, second] = [await made(), await made()]
    assert.equal(toPage(await patch(first.id, { slug: unique('moved') })).name, first.name)
    const page = toPage(await patch(second.id, { slug: first.slug }))
    assert.equal(page.url, `${service.baseUrl}/status/${first.slug}`)
  })

  test('createStatusPage 409: of 20 at once in two organizations one gets the slug', async () => {
    const slug = unique('race')
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        (n % 2 ? api : other.api).post(PATH, { name: `Race ${n}`, slug }),
      ),
    )
    const codes = all.map((answer) => (answer.status === 201 ? '201' : answer.code)).toSorted()
    assert.deepEqual(codes, ['201', ...Array.from({ length: 19 }, () => 'conflict')])
    assert.equal(await db.count('status_pages', 'slug = $1', [slug]), 1)
  })

  test('updateStatusPage 409: of 10 at once one gets the slug', async () => {
    const slug = unique('race')
    const pages = await Promise.all(
      Array.from({ length: 10 }, async (_, n) => {
        const owner = n % 2 ? api : other.api
        return { owner, page: toPage(await owner.post(PATH, { name: `R ${n}`, slug: unique() })) }
      }),
    )
    const all = await Promise.all(
      pages.map(({ owner, page }) => owner.patch(`${PATH}/${page.id}`, { slug })),
    )
    assert.equal(all.filter(({ status }) => status === 200).length, 1)
    assert.equal(all.filter(({ status }) => status === 409).length, 9)
  })

  test('createStatusPage 201: ten of one name at once get ten slugs', async () => {
    const name = unique('Same name')
    const all = await Promise.all(
      Array.from({ length: 10 }, (_, n) => (n % 2 ? api : other.api).post(PATH, { name })),
    )
    assert.equal(new Set(all.map((answer) => toPage(answer).slug)).size, 10)
  })
})

describe('custom domain', { concurrency: 4 }, () => {
  const setStatus = (id: string, status: string) =>
    db.run(
      `update status_pages set custom_domain_status = $2, custom_domain_checked_at = now() where id = $1`,
      [toUuid(id), status],
    )

  test('create and updateStatusPage: lower case, PENDING until it is proven; then it is the address', async () => {
    const domain = `${unique('Status')}.Example.COM`
    const page = await made({ customDomain: domain })
    assert.equal(page.customDomain, domain.toLowerCase())
    assert.equal(page.customDomainStatus, 'PENDING')
    assert.equal(page.url, `${service.baseUrl}/status/${page.slug}`)
    await setStatus(page.id, 'ACTIVE')
    const active = await read(page.id)
    assert.equal(active.url, `https://${domain.toLowerCase()}`)
    const same = toPage(await patch(page.id, { customDomain: domain.toUpperCase(), name: 'New' }))
    assert.equal(same.customDomainStatus, 'ACTIVE')

    const next = toPage(await patch(page.id, { customDomain: `${unique()}.example.com` }))
    assert.equal(next.customDomainStatus, 'PENDING')
    const { at } = await db.one<{ at: Date | null }>(
      'select custom_domain_checked_at as at from status_pages where id = $1',
      [toUuid(page.id)],
    )
    assert.equal(at, null)
    await setStatus(page.id, 'FAILED')
    assert.equal((await read(page.id)).url, `${service.baseUrl}/status/${page.slug}`)
    const none = toPage(await patch(page.id, { customDomain: null }))
    assert.deepEqual([none.customDomain, none.customDomainStatus], [null, 'NONE'])
  })

  test('create and updateStatusPage 409: a domain that another page serves, in any case', async () => {
    const domain = `${unique()}.example.com`
    const holder = toPage(await other.api.post(PATH, { name: 'Holder', customDomain: domain }))
    await setStatus(holder.id, 'ACTIVE')
    const page = await made()
    for (const customDomain of [domain, domain.toUpperCase()]) {
      assert.equal((await create({ customDomain })).code, 'conflict')
      assert.equal((await patch(page.id, { customDomain })).code, 'conflict')
    }
    await other.api.delete(`${PATH}/${holder.id}`)
    assert.equal((await patch(page.id, { customDomain: domain })).status, 200)
  })

  for (const status of ['PENDING', 'FAILED'])
    test(`create and updateStatusPage: a ${status} claim of somebody else blocks nobody`, async () => {
      const customDomain = `${unique()}.example.com`
      const squatter = toPage(await other.api.post(PATH, { name: 'Squatter', customDomain }))
      await setStatus(squatter.id, status)
      const created = await made({ customDomain })
      const changed = toPage(await patch((await made()).id, { customDomain }))
      for (const page of [created, changed]) assert.equal(page.customDomainStatus, 'PENDING')
    })

  test('createStatusPage: of 10 claims at once none is refused; the proof decides later', async () => {
    const customDomain = `${unique()}.example.com`
    const all = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        (n % 2 ? api : other.api).post(PATH, { name: `Race ${n}`, customDomain }),
      ),
    )
    assert.deepEqual(new Set(all.map(({ status }) => status)), new Set([201]))
  })

  test('create and updateStatusPage 400: a name of the service itself', async () => {
    const named = await fixture.startApi({
      BASE_URL: 'https://upvane.example.org',
      STATUS_BASE_URL: 'https://pages.example.net',
    })
    const page = toPage(await named.post(PATH, { name: 'Own', slug: unique() }))
    assert.equal(page.url, `https://pages.example.net/status/${page.slug}`)
    const own = ['upvane.example.org', 'Status.UPVANE.example.org', 'a.b.pages.example.net']
    for (const customDomain of own) {
      const fields = { name: 'Own', customDomain }
      assert.deepEqual((await named.post(PATH, fields)).paths, ['customDomain'])
      assert.deepEqual((await named.patch(`${PATH}/${page.id}`, fields)).paths, ['customDomain'])
    }
    const near = { customDomain: `${unique()}-upvane.example.org` }
    assert.equal((await named.patch(`${PATH}/${page.id}`, near)).status, 200)
  })
})

describe('password', { concurrency: 4 }, () => {
  const PASSWORD = 'correct horse battery'

  test('create and updateStatusPage: kept as a slow hash, never shown, taken away by null', async () => {
    const page = await made({ password: PASSWORD })
    assert.equal(page.passwordProtected, true)
    const first = await hashOf(page.id)
    assert.match(first ?? '', /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[^$]{22}\$[^$]{43}$/)

    const renamed = await patch(page.id, { name: 'Renamed' })
    assert.equal(toPage(renamed).passwordProtected, true)
    assert.equal(await hashOf(page.id), first)
    await patch(page.id, { password: `${PASSWORD}!` })
    assert.notEqual(await hashOf(page.id), first)
    const open = toPage(await patch(page.id, { password: null }))
    assert.deepEqual([open.passwordProtected, await hashOf(page.id)], [false, null])
    const same = toPage(await patch(page.id, { password: null }))
    assert.equal(same.updatedAt, open.updatedAt)
    assert.equal((await made({ password: null })).passwordProtected, false)
  })

  test('a password stands nowhere: not in the database, not in a log', async () => {
    const password = `secret ${randomUUID()}`
    const headers = { 'Idempotency-Key': `secret-${randomUUID()}` }
    const body = { name: 'Secret', slug: unique(), password }
    const page = toPage(await api.post(PATH, body, { headers }))
    await api.patch(`${PATH}/${page.id}`, { password }, { headers: {} })
    const tables = await db.run<{ name: string }>(
      `select c.oid::regclass::text as name from pg_class c
        where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace`,
    )
    assert.ok(tables.length > 30)
    for (const { name } of tables) {
      const found = await db.count(name, `${name}::text like $1`, [`%${password}%`])
      assert.equal(found, 0, name)
    }
    const logs = globSync(join(stack.directory, 'service-*.log'))
    for (const file of logs) assert.ok(!readFileSync(file, 'utf8').includes(password), file)
  })
})

describe('updateStatusPage', { concurrency: 8 }, () => {
  test('updateStatusPage 200: changes what is given and keeps the rest', async () => {
    const before = await made({ description: 'Before', accentColor: '#112233' })
    const { updatedAt, ...rest } = toPage(
      await patch(before.id, { theme: 'DARK', historyDays: 60 }),
    )
    const expected = { ...before, theme: 'DARK', historyDays: 60 }
    assert.deepEqual({ ...rest, updatedAt: before.updatedAt }, expected)
    assert.ok(updatedAt > before.updatedAt)
    assert.deepEqual(await read(before.id), { ...rest, updatedAt })
  })

  test('updateStatusPage 200: nothing given or nothing new changes nothing', async () => {
    const before = await made({ description: 'Same', sections: [{ components: [{ name: 'A' }] }] })
    for (const body of [{}, before, { name: before.name, other: 1 }, { state: 'DEGRADED' }])
      assert.deepEqual(toPage(await patch(before.id, body)), before)
  })

  test('updateStatusPage 200: nullable fields can be taken away', async () => {
    const nullable = { description: 'x', accentColor: '#123456', logoUrl: 'https://a.example/' }
    const { id } = await made(nullable)
    const cleared = Object.fromEntries(Object.keys(nullable).map((name) => [name, null]))
    const page = toPage(await patch(id, cleared))
    for (const name of Object.keys(nullable)) assert.equal(page[name as 'name'], null, name)
  })

  test('updateStatusPage: 20 at once of different fields all survive', async () => {
    const { id } = await made()
    const fields: Record<string, unknown>[] = [
      { name: 'Changed' },
      { description: 'Changed' },
      { published: false },
      { theme: 'LIGHT' },
      { accentColor: '#abcdef' },
      { locale: 'fr' },
      { timezone: 'Asia/Tokyo' },
      { historyDays: 31 },
      { showUptime: false },
      { showResponseTime: true },
      { allowIndexing: false },
      { subscribersEnabled: false },
      { sections: [{ name: 'S' }] },
    ]
    await Promise.all(fields.map((body) => patch(id, body)))
    const page = await read(id)
    for (const body of fields.slice(0, -1))
      for (const [name, value] of Object.entries(body))
        assert.deepEqual(page[name as 'name'], value)
    assert.equal(page.sections[0]?.name, 'S')
  })
})

describe('listStatusPages', () => {
  test('listStatusPages 200: newest first, paged, with the true total', async () => {
    const { api: owner } = await fixture.createOrganization()
    const ids: string[] = []
    for (let n = 0; n < 5; n++)
      ids.unshift(toPage(await owner.post(PATH, { name: `L${n}`, slug: unique('list') })).id)
    const all = toList<StatusPage>(await owner.get(PATH))
    assert.deepEqual(
      all.data.map(({ id }) => id),
      ids,
    )
    assert.deepEqual(all.pagination, { limit: 25, offset: 0, total: 5 })
    const part = toList<StatusPage>(await owner.get(`${PATH}?limit=2&offset=3`))
    assert.deepEqual(
      part.data.map(({ id }) => id),
      ids.slice(3),
    )
    const past = toList<StatusPage>(await owner.get(`${PATH}?offset=50`))
    assert.deepEqual([past.data, past.pagination.total], [[], 5])
    assert.deepEqual(all.data[0], toPage(await owner.get(`${PATH}/${ids[0]}`)))
  })

  test('listStatusPages 200: q finds text of name and slug in any case, and takes it literally', async () => {
    const { api: owner } = await fixture.createOrganization()
    const word = randomUUID().slice(0, 8)
    await owner.post(PATH, { name: 'Ärger 100%', slug: `${word}-x` })
    await owner.post(PATH, { name: 'Shop_1', slug: unique() })
    const rows: [q: string, names: string[]][] = [
      [word.toUpperCase(), ['Ärger 100%']],
      ['ÄRGER', ['Ärger 100%']],
      ['0%', ['Ärger 100%']],
      ['%', ['Ärger 100%']],
      ['_', ['Shop_1']],
      ['SHOP', ['Shop_1']],
      ['\\', []],
      ['nothing', []],
    ]
    for (const [q, names] of rows) {
      const page = toList<StatusPage>(await owner.get(`${PATH}?q=${encodeURIComponent(q)}`))
      assert.deepEqual(
        page.data.map(({ name }) => name),
        names,
        q,
      )
      assert.equal(page.pagination.total, names.length)
    }
    for (const q of ['', 'x'.repeat(101)])
      assert.deepEqual((await owner.get(`${PATH}?q=${q}`)).paths, ['q'])
  })
})

describe('deleteStatusPage', { concurrency: 4 }, () => {
  test('deleteStatusPage 200: it is gone with its subscribers, and its slug is free', async () => {
    const page = await made()
    await db.run(
      `insert into page_subscribers (id, org_id, page_id, email, email_hash, token, token_hash, asked_at)
       select new_uuid(), org_id, id, '', sha256('a'), '', sha256(id::text::bytea), now()
         from status_pages where id = $1`,
      [toUuid(page.id)],
    )
    assert.deepEqual((await api.delete(`${PATH}/${page.id}`)).json, { data: { id: page.id } })
    for (const method of ['GET', 'DELETE'])
      assert.equal((await api.request(method, `${PATH}/${page.id}`)).code, 'not_found')
    assert.equal((await patch(page.id, { password: 'correct horse' })).code, 'not_found')
    assert.equal(await db.count('page_subscribers', 'page_id = $1', [toUuid(page.id)]), 0)
    assert.equal((await create({ slug: page.slug })).status, 201)
  })

  test('deleteStatusPage: a replay is no 404', async () => {
    const { id } = await made()
    const options = { headers: { 'Idempotency-Key': `delete-${randomUUID()}` } }
    await api.delete(`${PATH}/${id}`, options)
    const replay = await api.delete(`${PATH}/${id}`, options)
    assert.deepEqual([replay.status, replay.isReplayed], [200, true])
  })
})

describe('plan: how many status pages', () => {
  test('createStatusPage 422: the free plan holds one; one that goes makes room', async () => {
    const { api: free } = await fixture.createOrganization('FREE')
    const { id, slug } = toPage(await free.post(PATH, { name: 'Only', slug: unique('free') }))
    assert.equal((await free.post(PATH, { name: 'More' })).code, 'plan_limit')
    assert.equal((await free.post(PATH, { name: 'More', slug })).code, 'conflict')
    assert.equal(
      (await free.post(PATH, { name: 'More', monitorIds: ['x'] })).code,
      'validation_error',
    )
    assert.equal((await free.patch(`${PATH}/${id}`, { name: 'Changed' })).status, 200)
    await free.delete(`${PATH}/${id}`)
    assert.equal((await free.post(PATH, { name: 'Next' })).status, 201)
  })

  test('createStatusPage 422: 12 at once on the starter plan make 3', async () => {
    const { api: starter, uuid } = await fixture.createOrganization('STARTER')
    const all = await Promise.all(
      Array.from({ length: 12 }, (_, n) => starter.post(PATH, { name: `Page ${n}` })),
    )
    assert.equal(all.filter(({ status }) => status === 201).length, 3)
    assert.equal(all.filter(({ code }) => code === 'plan_limit').length, 9)
    assert.equal(await db.count('status_pages', 'org_id = $1', [uuid]), 3)
  })

  test('createStatusPage 422: without a subscription nothing is made, DELETE works', async () => {
    const { api: lapsed, uuid } = await fixture.createOrganization()
    const { id } = toPage(await lapsed.post(PATH, { name: 'Before' }))
    await db.run(`update subscriptions set status = 'NONE' where org_id = $1`, [uuid])
    assert.equal((await lapsed.post(PATH, { name: 'x' })).code, 'subscription_required')
    assert.equal((await lapsed.patch(`${PATH}/${id}`, {})).code, 'subscription_required')
    assert.equal((await lapsed.get(`${PATH}/${id}`)).status, 200)
    assert.equal((await lapsed.delete(`${PATH}/${id}`)).status, 200)
  })
})
