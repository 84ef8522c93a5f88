// What one organization can store, as docs/operating/storage.md says: each kind is filled to its limit with the largest rows
// there are, the last ones through the API and several at once, and counted and measured.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { KINDS } from '../../tools/storage-table.ts'
import type { Visitor } from '../kit/private-client.ts'
import { addMonitors } from './crowd.ts'
import { startAppFixture } from './fixture.ts'

type Kind = keyof typeof KINDS
/** How many of the last ones the API adds, and how many want to be added. */
const LAST = 3
const WANTED = 8
/** The widest character: four bytes. */
const WIDE = `repeat(chr(119808), `

const fixture = await startAppFixture({}, { own: true })
const { db } = fixture
after(() => fixture.stop())

// The largest rows do not compress. These may be filled with what would.
for (const [table, column] of [
  ['status_incident_updates', 'message'],
  ['status_incident_updates', 'components'],
  ['status_incident_post_mortems', 'message'],
  ['maintenance_windows', 'description'],
  ['alert_contacts', 'settings'],
  ['page_subscribers', 'component_ids'],
] as const)
  await db.run(`alter table ${table} alter column ${column} set storage external`)

const { api, key, uuid, id: organizationId } = await fixture.createOrganization('FREE')
const { visitor: owner } = await fixture.join(organizationId, 'OWNER')
const page = (await api.post('/status-pages', { name: 'Page', slug: `full-${Date.now()}` }))
  .json as {
  id: string
}
const monitors: string[] = []
for (let at = 0; at < 20; at++) monitors.push((await api.createMonitor()).id)
const sections = [
  {
    name: 'All',
    components: Array.from({ length: 200 }, (_, at) => ({
      name: `Component ${at}`,
      monitorId: monitors[at % 20],
    })),
  },
]
await api.patch(`/status-pages/${page.id}`, { sections })
const first = await api.post('/status-incidents', {
  title: 'First',
  message: 'x',
  statusPageIds: [page.id],
})
assert.equal(first.status, 201, first.text)
const incident = first.json as { id: string }
const pathOf = (path: string) => `/organizations/${organizationId}${path}`

const sizeOf = async (kind: Kind): Promise<number> => {
  const [row] = await db.run<{ bytes: string }>(
    'select sum(pg_total_relation_size(t::regclass)) as bytes from unnest($1::text[]) t',
    [KINDS[kind].tables],
  )
  return Number(row?.bytes)
}

const countOf = (kind: Kind) => db.count(KINDS[kind].tables[0], 'org_id = $1', [uuid])

type Filling = {
  kind: Kind
  /** Inserts $2 rows of the organization $1. */
  fill: readonly string[]
  add(at: number): Promise<{ status: number; code: string }>
  refusal?: [number, string]
}

const send = (method: string, path: string, body: unknown) => api.request(method, path, { body })
async function sendPrivate(visitor: Visitor, path: string, body: unknown) {
  const { status, code } = await visitor.post(pathOf(path), body)
  return { status, code }
}
const wide = (characters: number) => '𝐀'.repeat(characters)

const FILLINGS: readonly Filling[] = [
  {
    kind: 'statusIncidents',
    fill: [
      `with made as (
         insert into status_incidents (id, org_id, title, status, impact, started_at, resolved_at)
         select new_uuid(), $1, ${WIDE}200), 'RESOLVED', 'NONE', now(), now() from generate_series(1, $2) returning id
       ), posts as (
         insert into status_incident_post_mortems
           (org_id, status_incident_id, message, notified_subscribers, created_at, updated_at)
         select $1, id, ${WIDE}10000), false, now(), now() from made
       ), pages as (
         insert into status_incident_pages (org_id, status_incident_id, page_id, position)
         select $1, made.id, p.id, 1 from made, status_pages p where p.org_id = $1
       )
       insert into status_incident_components (org_id, status_incident_id, component_id, state, position)
       select $1, made.id, c.id, 'OPERATIONAL', row_number() over (partition by made.id)
         from made, status_page_components c where c.org_id = $1`,
    ],
    add: () => send('POST', '/status-incidents', { title: wide(200), message: 'x' }),
  },
  {
    kind: 'statusIncidentUpdates',
    fill: [
      `insert into status_incident_updates
         (id, org_id, status_incident_id, status, message, components, notified_subscribers, created_at)
       select new_uuid(), $1, (select id from status_incidents where org_id = $1 order by random() + n limit 1),
              'IDENTIFIED', ${WIDE}10000), c.list, false, now()
         from generate_series(1, $2) n,
              (select jsonb_agg(jsonb_build_object('componentId', id, 'state', 'OPERATIONAL')) as list
                 from status_page_components where org_id = $1) c`,
    ],
    add: () => send('POST', `/status-incidents/${incident.id}/updates`, { message: wide(10_000) }),
  },
  {
    kind: 'maintenanceWindows',
    fill: [
      `with made as (
         insert into maintenance_windows (id, org_id, name, description, starts_at, ends_at, timezone, all_monitors,
           on_named_pages, show_on_status_pages, notify_subscribers)
         select new_uuid(), $1, ${WIDE}120), ${WIDE}2000), now() - interval '2 hours', now() - interval '1 hour', 'UTC',
                false, true, true, false from generate_series(1, $2) returning id
       ), covered as (
         insert into maintenance_window_monitors (org_id, window_id, monitor_id, position)
         select $1, made.id, m.id, row_number() over (partition by made.id) from made, monitors m where m.org_id = $1
       )
       insert into maintenance_window_pages (org_id, window_id, page_id, position)
       select $1, made.id, p.id, 1 from made, status_pages p where p.org_id = $1`,
    ],
    add: () =>
      send('POST', '/maintenance-windows', {
        name: 'Last',
        startsAt: '2036-01-01T00:00:00Z',
        endsAt: '2036-01-01T01:00:00Z',
        monitorIds: [monitors[0]],
      }),
  },
  {
    kind: 'sources',
    fill: [
      `insert into code_sources (org_id, name, revision, updated_at)
       select $1, rpad('s' || n, 100, 'x'), 1, now() from generate_series(1, $2) n`,
    ],
    add: (at) =>
      send('PUT', `/api/ext/v1/sources/last${at}/bindings`, { revision: 0, bindings: [] }),
  },
  {
    kind: 'bindings',
    fill: [
      `delete from code_sources where org_id = $1 and $2 > 0 and name like 'last%'`,
      `insert into code_bindings (org_id, source, address, prefix, resource_id, generation, digest)
       select $1, (select min(name) from code_sources where org_id = $1), rpad('m.' || n, 200, 'x'), 'mon', new_uuid(),
              n, sha256(n::text::bytea) || convert_to(repeat('x', 250), 'UTF8')
         from generate_series(1, $2) n`,
    ],
    // In a source of its own each.
    add: (at) =>
      send('PUT', `/api/ext/v1/sources/free${at}/bindings`, {
        revision: 0,
        bindings: [{ address: 'monitors.last' }],
      }),
  },
  {
    kind: 'tags',
    fill: [
      `insert into tags (id, org_id, name, key)
       select new_uuid(), $1, ${WIDE}30) || n, ${WIDE}110) || n from generate_series(1, $2) n`,
    ],
    add: (at) => send('POST', '/api/ext/v1/tags', { name: `Last ${at}` }),
  },
  {
    kind: 'contacts',
    fill: [
      `insert into alert_contacts (id, org_id, name, channel, settings)
       select new_uuid(), $1, ${WIDE}120), 'WEBHOOK', convert_to(repeat('x', 330000), 'UTF8')
         from generate_series(1, $2)`,
    ],
    add: (at) =>
      send('POST', '/api/ext/v1/alert-contacts', {
        name: `Last ${at}`,
        channel: 'WEBHOOK',
        settings: { url: `https://example.com/${at}` },
      }),
  },
  {
    kind: 'invitations',
    fill: [
      `insert into invitations (id, org_id, email, role, token_hash, invited_by, expires_at)
       select new_uuid(), $1, rpad('a' || n, 240, 'x') || '@example.com', 'MEMBER', sha256(n::text::bytea), ${WIDE}120),
              now() + interval '1 day' from generate_series(1, $2) n`,
    ],
    add: (at) =>
      sendPrivate(owner, '/invitations', { email: `last${at}@example.com`, role: 'MEMBER' }),
  },
]

const waysTo = ({ status, code }: { status: number; code: string }) =>
  status < 300 ? 'made' : `${status} ${code}`

for (const { kind, fill, add } of FILLINGS)
  test(`${KINDS[kind].what}: not one more than the table says, and not larger`, async () => {
    const { rowBytes } = KINDS[kind]
    const limit = KINDS[kind].rows('FREE')
    const missing = limit - (await countOf(kind)) - LAST
    for (const statement of fill) {
      const usesCount = statement.includes('$2')
      await db.run(statement, usesCount ? [uuid, missing] : [uuid])
    }
    const toFill = limit - (await countOf(kind)) - LAST
    assert.equal(toFill, 0, 'filled but for the last')
    const answers = await Promise.all(Array.from({ length: WANTED }, (_, at) => add(at)))
    const ways = Map.groupBy(answers, waysTo)
    assert.equal(ways.get('made')?.length, LAST, [...ways.keys()].join())
    assert.equal(ways.get('422 plan_limit')?.length, WANTED - LAST)
    assert.equal(await countOf(kind), limit)
    const bytes = await sizeOf(kind)
    const most = limit * rowBytes
    assert.ok(bytes <= most, `${bytes} bytes, the table says ${most}`)
    // A figure far too high says nothing.
    assert.ok(bytes >= most / 12, `${bytes} bytes, the table says ${most}`)
  })

test('subscribers of a page: the last fit, and no more, by the form or by a key', async () => {
  const limit = KINDS.subscribers.rows('FREE')
  await api.patch(`/status-pages/${page.id}`, { subscribersEnabled: true })
  await db.run(
    `insert into page_subscribers (id, org_id, page_id, email, email_hash, component_ids, token, token_hash, asked_at,
       confirmed_at)
     select new_uuid(), $1, p.id, convert_to(repeat('x', 300), 'UTF8'), sha256(n::text::bytea), c.ids,
            convert_to(repeat('x', 80), 'UTF8'), sha256(('t' || n)::bytea), now(), now()
       from status_pages p, generate_series(1, $2) n,
            (select array_agg(id) as ids from status_page_components where org_id = $1) c
      where p.org_id = $1`,
    [uuid, limit - LAST],
  )
  const path = `/api/ext/v1/status-pages/${page.id}/subscribers`
  // Emails are queued, and nobody takes them.
  const mail = { SMTP_URL: 'smtp://127.0.0.1:1?tls=off', SMTP_FROM: 'upvane@example.com' }
  const mailing = (await fixture.startApi(mail)).as(key)
  const answers = await Promise.all(
    Array.from({ length: WANTED }, (_, at) =>
      mailing.post(path, { address: `last-${at}@example.com` }),
    ),
  )
  const ways = Map.groupBy(answers, waysTo)
  assert.equal(ways.get('made')?.length, LAST, [...ways.keys()].join())
  assert.equal(ways.get('422 plan_limit')?.length, WANTED - LAST)
  assert.equal(await countOf('subscribers'), limit)
  const bytes = await sizeOf('subscribers')
  assert.ok(bytes <= limit * KINDS.subscribers.rowBytes, `${bytes}`)
})

test(`${KINDS.aliases.what}: not one more than the table says, and not larger`, async () => {
  const limit = KINDS.aliases.rows('FREE')
  // Five for a monitor: only a larger plan has monitors enough.
  const large = await fixture.createOrganization('UNLIMITED')
  await addMonitors(db, large.uuid, limit / 5)
  const jobs = await Promise.all(Array.from({ length: WANTED }, () => large.api.createMonitor()))
  await db.run(
    `insert into ping_aliases (hash, org_id, monitor_id, created_at)
     select sha256((m.id || ' ' || n)::bytea), $1, m.id, now()
       from monitors m, generate_series(1, 5) n where m.org_id = $1 and m.type = 'HTTP' limit $2`,
    [large.uuid, limit - LAST],
  )
  const answers = await Promise.all(
    jobs.map(({ id }, at) =>
      large.api.post('/api/ext/v1/ping-aliases', {
        aliases: [{ monitorId: id, token: `last-token-${at}` }],
      }),
    ),
  )
  const ways = Map.groupBy(answers, waysTo)
  assert.equal(ways.get('made')?.length, LAST, [...ways.keys()].join())
  assert.equal(ways.get('422 plan_limit')?.length, WANTED - LAST)
  assert.equal(await db.count('ping_aliases', 'org_id = $1', [large.uuid]), limit)
  const [bytes, most] = [await sizeOf('aliases'), limit * KINDS.aliases.rowBytes]
  assert.ok(bytes <= most && bytes >= most / 12, `${bytes} bytes, the table says ${most}`)
})

test('API keys: ended ones go, but for the last 200', async () => {
  for (let round = 0; round < 3; round++) {
    await db.run(
      `insert into api_keys (id, org_id, name, access, hash, last4, revoked_at, created_by)
       select new_uuid(), $1, ${WIDE}120), 'FULL', sha256(($2 || ' ' || n)::bytea), 'abcd', now(), ${WIDE}120)
         from generate_series(1, 300) n`,
      [uuid, String(round)],
    )
    const { status } = await sendPrivate(owner, '/keys', { name: `Key ${round}` })
    assert.equal(status, 201)
  }
  assert.ok((await countOf('keys')) <= KINDS.keys.rows('FREE'))
  assert.ok((await sizeOf('keys')) <= 2 * KINDS.keys.rows('FREE') * KINDS.keys.rowBytes)
})

test('members: one more than the plan has is refused, also of several at once', async () => {
  const { id, uuid: own } = await fixture.createOrganization('FREE')
  const { visitor } = await fixture.join(id, 'OWNER')
  await db.run(`update organizations set limit_overrides = '{"members": 3}' where id = $1`, [own])
  const guests = await Promise.all(
    Array.from({ length: 5 }, async (_, at) => {
      const person = await fixture.addPerson({ email: `guest-${at}-${Date.now()}@example.com` })
      const made = await visitor.post(`/organizations/${id}/invitations`, {
        email: person.email,
        role: 'MEMBER',
      })
      const token = new URL((made.json as { link: string }).link).hash.slice(1)
      return { guest: await fixture.enter(person), token }
    }),
  )
  const answers = await Promise.all(
    guests.map(({ guest, token }) => guest.post('/invitations/accept', { token })),
  )
  const ways = Map.groupBy(answers, waysTo)
  assert.equal(ways.get('made')?.length, 2, [...ways.keys()].join())
  assert.equal(ways.get('422 plan_limit')?.length, 3)
  assert.equal(await db.count('members', 'org_id = $1', [own]), 3)
})

test('what is deleted makes room', async () => {
  const made = await api.get('/status-incidents?limit=1')
  const [newest] = (made.json as { data: { id: string }[] }).data
  assert.equal((await api.delete(`/status-incidents/${newest?.id}`)).status, 200)
  assert.equal((await send('POST', '/status-incidents', { title: 'x', message: 'x' })).status, 201)
})
