// Incidents, what was sent about them, windows on a calendar, search and files.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { toUuid } from '../kit/ids.ts'
import { breakMonitor, endDelivery, seedAttempt, seedIncident } from '../kit/seed.ts'
import { type AppFixture, startAppFixture } from './fixture.ts'
import { ago, createTeam, DAY, HOUR, MINUTE, readCsv } from './screens.ts'

let fixture: AppFixture
before(async () => {
  fixture = await startAppFixture()
})
after(() => fixture.stop())

const http = (name: string) => ({ name, type: 'HTTP', url: `https://${name}.example.com/` })

async function withTwo() {
  const team = await createTeam(fixture)
  const shop = await team.createMonitor(http('shop'))
  const api = await team.createMonitor(http('api'))
  const open = await breakMonitor(fixture.db, team.orgId, shop.id)
  const past = await seedIncident(fixture.db, {
    orgId: team.orgId,
    monitorId: api.id,
    startedAt: ago(3 * DAY),
    resolvedAt: ago(3 * DAY - 10 * MINUTE),
    cause: '=Timed out after 30 s',
  })
  return { team, shop, api, open, past }
}

test('listIncidentRows: status, monitor, text, time and what they add up to', async () => {
  const { team, api, open, past } = await withTwo()
  const read = (query: string) => team.read('incidents', `/overview/incidents?${query}`)
  const ids = async (query: string) => (await read(query)).data.map(({ id }) => id)
  const all = await read('')
  assert.deepEqual(
    all.data.map(({ id }) => id),
    [open, past],
  )
  assert.deepEqual(all.counts, { all: 2, ongoing: 1, resolved: 1, notTaken: 2 })
  assert.equal(all.summary.medianDurationSeconds, 600)
  assert.equal(all.summary.medianTakenSeconds, null)
  assert.ok(all.summary.downSeconds >= 660 && all.summary.downSeconds < 720)

  const resolved = await read('status=RESOLVED')
  assert.deepEqual(
    resolved.data.map(({ id, resolution }) => [id, resolution]),
    [[past, 'RECOVERED']],
  )
  assert.equal(resolved.pagination.total, 1)
  assert.equal(resolved.counts.all, 2)
  assert.deepEqual(await ids(`monitorId=${api.id}`), [past])
  assert.deepEqual(await ids('monitorId=mon_x'), [])
  assert.deepEqual(await ids('q=SHOP'), [open])
  assert.deepEqual(await ids('q=timed%20out'), [past])
  assert.deepEqual(await ids(`from=${ago(DAY).toISOString()}`), [open])
  assert.deepEqual(await ids(`to=${ago(DAY).toISOString()}`), [past])
  assert.deepEqual(await ids('causeCode=TIMEOUT'), [])
  assert.deepEqual(await ids('limit=1&offset=1'), [past])

  await team.owner.post(`/organizations/${team.orgId}/incidents/${open}/acknowledge`, {
    note: 'On it',
  })
  const taken = await read('acknowledged=true')
  assert.deepEqual(
    taken.data.map((row) => [row.id, row.acknowledgedBy?.name, row.acknowledgeNote]),
    [[open, 'OWNER', 'On it']],
  )
  assert.deepEqual(taken.counts, { all: 2, ongoing: 1, resolved: 1, notTaken: 1 })
})

test('listIncidentDays: every day that an incident touches, however many there are, in the days of the viewer', async () => {
  const team = await createTeam(fixture)
  const { id: monitorId } = await team.createMonitor(http('days'))
  const read = (zone: string) =>
    team.read('incidentDays', `/overview/incident-days?timezone=${encodeURIComponent(zone)}`)
  const midnight = Math.floor(Date.now() / DAY) * DAY
  const seed = (from: number, to: number | null) =>
    seedIncident(fixture.db, {
      orgId: team.orgId,
      monitorId,
      startedAt: new Date(midnight + from),
      resolvedAt: to === null ? null : new Date(midnight + to),
      cause: 'HTTP 503',
    })
  // Over midnight; then more than a page of the list holds, in one day; and one that began before all days.
  await seed(-9 * DAY - HOUR, -9 * DAY + HOUR / 2)
  for (let minute = 0; minute < 101; minute++)
    await seed(-5 * DAY + minute * MINUTE, -5 * DAY + minute * MINUTE + MINUTE)
  await seed(-200 * DAY, -88 * DAY + HOUR)

  const { days } = await read('UTC')
  const today = new Date(midnight).toISOString().slice(0, 10)
  assert.deepEqual([days.length, days.at(-1)?.date], [90, today])
  const bad = days.flatMap((day, index) => (day.incidents === 0 ? [] : [{ back: index - 89, day }]))
  assert.deepEqual(
    bad.map(({ back, day }) => [back, day.incidents, day.ongoing, day.downSeconds]),
    [
      [-89, 1, false, 86_400],
      [-88, 1, false, 3600],
      [-10, 1, false, 3600],
      [-9, 1, false, 1800],
      [-5, 101, false, 6060],
    ],
  )
  // The same half an hour is the day before in Honolulu, ten hours behind.
  const there = await read('Pacific/Honolulu')
  const dateOf = (back: number) => new Date(midnight + back * DAY).toISOString().slice(0, 10)
  const on = (date: string) => there.days.find((day) => day.date === date)
  assert.deepEqual([on(dateOf(-10))?.incidents, on(dateOf(-10))?.downSeconds], [1, 5400])
  assert.equal(on(dateOf(-9))?.incidents, 0)
  assert.deepEqual((await read('Nowhere/City')).days, days)
})

test('getIncidentScreen: attempts, lines, alerts, webhooks and notes in one line of time', async () => {
  const { db } = fixture
  const team = await createTeam(fixture)
  const base = `/organizations/${team.orgId}`
  const endpoint = await team.owner.post(`${base}/webhook-endpoints`, {
    url: 'https://hooks.example.com/',
  })
  assert.equal(endpoint.status, 201, endpoint.text)
  const contact = await team.owner.post(`${base}/alert-contacts`, {
    name: 'Ops',
    channel: 'SLACK',
    settings: { url: 'https://hooks.slack.com/services/T0/B0/x' },
  })
  const contactId = (contact.json as { id: string }).id
  const monitor = await team.createMonitor(http('shop'))
  const id = await breakMonitor(db, team.orgId, monitor.id)
  await team.member.post(`${base}/incidents/${id}/acknowledge`)
  const note = await team.member.post(`${base}/incidents/${id}/notes`, { text: 'rollback running' })
  assert.equal(note.status, 201, note.text)
  await db.run(
    `with d as (
       insert into deliveries (id, org_id, endpoint_id, channel, message, status, attempt_count, created_at, completed_at)
       values (new_uuid(), $1, $2, 'ALERT', '\\x00', 'SUCCEEDED', 1, now(), now()) returning id
     ) insert into alert_messages (delivery_id, org_id, contact_id, kind, thread, title, incident_ids)
       select id, $1, $2, 'DOWN', new_uuid(), 'shop is down', array[$3::uuid] from d`,
    [toUuid(team.orgId), toUuid(contactId), toUuid(id)],
  )

  const shown = await team.read('incident', `/overview/incidents/${id}`)
  const types = shown.timeline.map(({ type }) => type)
  assert.deepEqual(
    new Set(types),
    new Set(['FAILED', 'OPENED', 'ACKNOWLEDGED', 'WEBHOOK', 'NOTE', 'ALERT']),
  )
  assert.deepEqual(types.slice(0, 2), ['FAILED', 'OPENED'])
  const times = shown.timeline.map(({ at }) => at)
  assert.deepEqual(times, times.toSorted())
  const find = <T extends string>(type: T) =>
    shown.timeline.find((line): line is Extract<typeof line, { type: T }> => line.type === type)
  assert.equal(find('NOTE')?.text, 'rollback running')
  assert.equal(find('NOTE')?.by.name, 'MEMBER')
  assert.equal(find('WEBHOOK')?.eventType, 'incident.acknowledged')
  assert.equal(find('WEBHOOK')?.url, 'https://hooks.example.com/')
  assert.deepEqual([find('ALERT')?.contact.name, find('ALERT')?.status], ['Ops', 'SUCCEEDED'])
  assert.equal(shown.alerting, 'ALERTED')
  assert.equal(shown.target, monitor.url)
  assert.equal(shown.openedBy.bodyExcerpt, 'Service Unavailable')

  const list = await team.read('incidents', '/overview/incidents')
  assert.equal(list.data[0]?.contactsTold, 1)
  const messages = await team.read(
    'messages',
    `/overview/alert-messages?incidentId=${id}&status=SUCCEEDED`,
  )
  assert.deepEqual(
    messages.data.map(({ title, contact: { name } }) => [title, name]),
    [['shop is down', 'Ops']],
  )
  assert.deepEqual((await team.read('messages', '/overview/alert-messages?status=FAILED')).data, [])

  // The public API has no notes: its timeline has seven types.
  const promised = await fixture.api.as(await fixture.createKey(team.orgId)).get(`/incidents/${id}`)
  assert.ok(!promised.incident.timeline.some(({ message }) => message.includes('rollback')))
  for (const text of ['', 'x'.repeat(1001)])
    assert.equal((await team.member.post(`${base}/incidents/${id}/notes`, { text })).status, 400)
})

test('webhooks: success rate of a day, breaker, what was sent and what came back', async () => {
  const { db } = fixture
  const team = await createTeam(fixture)
  const base = `/organizations/${team.orgId}`
  const made = await team.owner.post(`${base}/webhook-endpoints`, {
    url: 'https://hooks.example.com/in',
  })
  const endpointId = (made.json as { id: string }).id
  const tests = [1, 2, 3, 4].map(() =>
    team.owner.post(`${base}/webhook-endpoints/${endpointId}/test`),
  )
  const [ok = '', late = '', failed = '', waiting = ''] = (await Promise.all(tests)).map(
    (answer) => (answer.json as { id: string }).id,
  )
  await seedAttempt(db, ok, { number: 1, startedAt: ago(1000), responseBody: '{"received":true}' })
  // Resent manually: two attempts, and none failed.
  await seedAttempt(db, ok, { number: 2, startedAt: ago(500) })
  await endDelivery(db, ok, 'SUCCEEDED')
  await seedAttempt(db, late, {
    number: 1,
    startedAt: ago(9000),
    outcome: 'FAILED',
    responseStatus: 502,
  })
  await seedAttempt(db, late, { number: 2, startedAt: ago(4000) })
  await endDelivery(db, late, 'SUCCEEDED')
  await db.run(`update deliveries set attempt_count = 2 where id = any ($1)`, [
    [toUuid(ok), toUuid(late)],
  ])
  await endDelivery(db, failed, 'FAILED')

  const readEndpoint = async () => {
    const { data } = await team.read('webhooks', '/overview/webhook-endpoints')
    assert.ok(data[0] !== undefined && data.length === 1)
    return data[0]
  }
  const endpoint = await readEndpoint()
  assert.deepEqual(endpoint.last24h, { succeeded: 2, failed: 1, pending: 1, successRatio: 2 / 3 })
  assert.deepEqual([endpoint.sending, endpoint.held], ['NORMAL', 1])
  await db.run(
    `update webhook_endpoints set next_probe_at = now() + interval '2 minutes', probe_seconds = 120,
            failures_in_a_row = 12, failing_since = now() where id = $1`,
    [toUuid(endpointId)],
  )
  const halted = await readEndpoint()
  assert.deepEqual(
    [halted.sending, halted.probeSeconds, halted.failuresInARow],
    ['HALTED', 120, 12],
  )

  const ids = async (query: string) =>
    (await team.read('deliveries', `/overview/webhook-deliveries?${query}`)).data.map(
      ({ id }) => id,
    )
  const newest = [ok, late, failed, waiting].toSorted().toReversed()
  assert.deepEqual(await ids(''), newest)
  assert.deepEqual(await ids('status=FAILED'), [failed])
  assert.deepEqual(new Set(await ids('troubled=true')), new Set([late, failed]))
  assert.deepEqual(await ids('endpointId=whe_x'), [])
  const first = await team.read('deliveries', '/overview/webhook-deliveries?limit=3')
  assert.deepEqual(await ids(`limit=3&cursor=${first.next}`), newest.slice(3))

  const exchange = await team.read('exchange', `/overview/webhook-deliveries/${late}`)
  assert.equal(JSON.parse(exchange.request.body).type, 'webhook.test')
  assert.equal(exchange.request.headers['webhook-id'], exchange.eventId)
  assert.deepEqual(
    exchange.attempts.map(({ responseStatus }) => responseStatus),
    [502, 200],
  )
  assert.match(exchange.attempts[0]?.timestamp ?? '', /^\d{10}$/)
  assert.equal(exchange.tookMs, 84)
})

test('getCalendar: occurrences between two instants, on the wall of their zone over a clock change', async () => {
  const team = await createTeam(fixture)
  const base = `/organizations/${team.orgId}`
  const monitor = await team.createMonitor(http('shop'))
  const weekly = {
    name: 'Index rebuild',
    startsAt: '2027-03-14T02:30:00+01:00',
    endsAt: '2027-03-14T03:00:00+01:00',
    timezone: 'Europe/Berlin',
    recurrence: { frequency: 'WEEKLY' },
    monitorIds: [monitor.id],
  }
  const made = await team.owner.post(`${base}/maintenance-windows`, weekly)
  assert.equal(made.status, 201, made.text)
  const id = (made.json as { id: string }).id
  const read = (query: string) => team.read('calendar', `/overview/calendar?${query}`)
  const month = await read('from=2027-03-20T00:00:00Z&to=2027-04-05T00:00:00Z')
  assert.deepEqual(
    month.data.map(({ windowId, localStartsAt }) => [windowId, localStartsAt]),
    [
      [id, '2027-03-21T02:30:00+01:00'],
      [id, '2027-03-28T03:30:00+02:00'], // 02:30 does not exist that day
      [id, '2027-04-04T02:30:00+02:00'],
    ],
  )
  assert.equal(month.more, false)
  assert.equal(month.data[0]?.status, 'SCHEDULED')
  assert.deepEqual((await read('from=2027-03-01T00:00:00Z&to=2027-03-14T01:30:00Z')).data, [])
  assert.equal(
    (await read(`from=2027-03-20T00:00:00Z&to=2027-04-05T00:00:00Z&monitorId=${monitor.id}`)).data
      .length,
    3,
  )
  assert.equal(
    (await read('from=2027-03-20T00:00:00Z&to=2027-04-05T00:00:00Z&monitorId=mon_x')).data.length,
    0,
  )
  for (const query of [
    'from=2027-03-20T00:00:00Z',
    'from=2027-03-20T00:00:00Z&to=2027-03-20T00:00:00Z',
    'from=2027-03-20T00:00:00Z&to=2027-09-20T00:00:00Z',
  ])
    assert.equal((await team.reader.get(`${base}/overview/calendar?${query}`)).status, 400)
})

test('searchEverything: monitors, pages and incidents, beginnings first, at most 20', async () => {
  const { team, shop, open } = await withTwo()
  const base = `/organizations/${team.orgId}`
  const page = await team.owner.post(`${base}/status-pages`, { name: 'Shop status' })
  assert.equal(page.status, 201, page.text)
  const find = async (q: string) => (await team.read('search', `/search?q=${q}`)).data
  const hits = await find('SHOP')
  assert.deepEqual(
    hits.map(({ kind, id, state }) => [kind, id, state]),
    [
      ['MONITOR', shop.id, 'DOWN'],
      ['STATUS_PAGE', (page.json as { id: string }).id, 'PUBLISHED'],
      ['INCIDENT', open, 'ONGOING'],
    ],
  )
  assert.equal(hits[0]?.detail, shop.url)
  const detected = await team.read('incident', `/overview/incidents/${open}`)
  assert.deepEqual(
    hits.map(({ type, since, unacknowledgedId }) => [type, since !== null, unacknowledgedId]),
    [
      ['HTTP', true, open],
      [null, false, null],
      ['HTTP', true, open],
    ],
  )
  assert.equal(hits[2]?.since, detected.startedAt)
  const taken = await team.member.post(`${base}/incidents/${open}/acknowledge`, {})
  assert.equal(taken.status, 200, taken.text)
  assert.deepEqual(
    (await find('shop')).map(({ unacknowledgedId }) => unacknowledgedId),
    [null, null, null],
  )
  for (let n = 0; n < 25; n++) await team.createMonitor(http(`workshop-${n}`))
  const many = await find('shop')
  assert.equal(many.length, 20)
  assert.equal(many[0]?.id, shop.id)
  assert.deepEqual(
    many.slice(-2).map(({ kind }) => kind),
    ['STATUS_PAGE', 'INCIDENT'],
  )
  assert.deepEqual(await find('100%25'), [])
})

test('files: as filtered, whole, and nothing in them that a spreadsheet would run', async () => {
  const { team, api, past } = await withTwo()
  const base = `/organizations/${team.orgId}/exports`
  await team.owner.patch(`/organizations/${team.orgId}/monitors/${api.id}`, { name: '@SUM("a",1)' })
  const read = async (name: string, visitor = team.reader) => {
    const answer = await visitor.get(`${base}/${name}`)
    assert.equal(answer.status, 200, answer.text)
    assert.match(answer.headers['content-disposition'] ?? '', /^attachment/)
    const [header = [], ...lines] = readCsv(answer.text)
    return lines.map((line) => Object.fromEntries(header.map((name, n) => [name, line[n]])))
  }
  const monitors = await read('monitors.csv?sort=name&state=PENDING')
  assert.deepEqual(
    monitors.map(({ id, name }) => [id, name]),
    [[api.id, `'@SUM("a",1)`]],
  )
  assert.equal((await read('monitors.csv')).length, 2)
  const incidents = await read('incidents.csv?status=RESOLVED')
  assert.deepEqual(
    incidents.map(({ id, cause, durationSec }) => [id, cause, durationSec]),
    [[past, `'=Timed out after 30 s`, '600']],
  )
  const audit = await read('audit-log.csv', team.owner)
  assert.ok(
    audit.some(({ action, resourceId }) => action === 'updateMonitor' && resourceId === api.id),
  )
  assert.equal((await team.reader.get(`${base}/monitors.csv?state=X`)).status, 400)
})

test('everything as one file: each thing once, as its list shows it, and no signing secret', async () => {
  const { team, api, past } = await withTwo()
  const base = `/organizations/${team.orgId}`
  const endpoint = await team.owner.post(`${base}/webhook-endpoints`, {
    url: 'https://example.com/in',
  })
  const MANY = 130
  for (let i = 0; i < MANY; i++)
    await team.createMonitor({ name: `m${i}`, type: 'HTTP', url: 'https://example.com/' })
  const answer = await team.owner.get(`${base}/exports/everything.ndjson`)
  assert.equal(answer.headers['content-type'], 'application/x-ndjson')
  const lines = answer.text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
  const idsOf = (type: string) =>
    lines.filter((line) => line.type === type).map(({ data }) => data.id)
  assert.equal(idsOf('monitor').length, MANY + 2)
  assert.equal(new Set(idsOf('monitor')).size, MANY + 2)
  assert.ok(idsOf('incident').includes(past))
  assert.deepEqual(idsOf('organization'), [team.orgId])
  assert.ok(idsOf('member').length >= 2)
  const { id, secret: signing } = endpoint.json as { id: string; secret: string }
  assert.deepEqual(idsOf('webhookEndpoint'), [id])
  assert.ok(!answer.text.includes(signing))
  const shown = await team.owner.get(`${base}/monitors/${api.id}`)
  assert.deepEqual(lines.find(({ data }) => data.id === api.id)?.data, shown.json)
})

type Line = { type: string; data: { id: string } }

test('getIncidentScreen and listMonitorRows: whether anyone is alerted, whether visitors see it, and what was published', async () => {
  const team = await createTeam(fixture)
  const base = `/organizations/${team.orgId}`
  const created = async (path: string, body: object) => {
    const sent = await team.owner.post(`${base}${path}`, body)
    assert.ok(sent.status < 300, sent.text)
    return sent.json as { id: string }
  }
  const monitor = await team.createMonitor(http('quiet'))
  await created(`/monitors/${monitor.id}/tags`, { names: ['shop'] })
  const incidentId = await breakMonitor(fixture.db, team.orgId, monitor.id)
  const shown = async () => {
    const incident = await team.read('incident', `/overview/incidents/${incidentId}`)
    const { silent, data } = await team.read('monitors', '/overview/monitors')
    const { incidentAlerting } = await team.read('monitor', `/overview/monitors/${monitor.id}`)
    assert.equal(incidentAlerting, incident.alerting)
    return { incident, list: [silent, data[0]?.alerting], alerting: incident.alerting }
  }
  const before = await shown()
  assert.deepEqual([before.alerting, before.list], ['NO_CONTACTS', [1, 'NO_CONTACTS']])
  assert.deepEqual([before.incident.isPublic, before.incident.published], [false, []])

  const page = await created('/status-pages', {
    name: 'Acme',
    published: false,
    sections: [{ components: [{ monitorId: monitor.id }] }],
  })
  assert.equal((await shown()).incident.isPublic, false, 'a page that is not published')
  await team.owner.patch(`${base}/status-pages/${page.id}`, { published: true })
  const published = await created('/status-incidents', { title: 'Slow', incidentId })
  const { incident } = await shown()
  assert.equal(incident.isPublic, true)
  assert.deepEqual(incident.published, [
    { id: published.id, title: 'Slow', status: 'INVESTIGATING' },
  ])

  const { id: contactId } = await created('/alert-contacts', {
    name: 'Ops',
    channel: 'SLACK',
    settings: { url: 'https://hooks.slack.com/services/T0/B0/x' },
  })
  const path = [toUuid(team.orgId), toUuid(monitor.id), toUuid(contactId)]
  await fixture.db.run(
    `delete from monitor_alert_contacts where org_id = $1 and monitor_id = $2 and contact_id = $3`,
    path,
  )
  assert.deepEqual((await shown()).list, [1, 'NO_CONTACTS'])
  await fixture.db.run(
    `with p as (insert into escalation_policies (id, org_id, tag_id, updated_at)
       select new_uuid(), $1, a.tag_id, now() from monitor_tags a where a.org_id = $1 and a.monitor_id = $2
       returning id), s as (insert into escalation_steps (org_id, policy_id, number, after_minutes)
       select $1, id, 1, 5 from p)
     select 1`,
    path.slice(0, 2),
  )
  await fixture.db.run(
    `insert into escalation_contacts (org_id, policy_id, step, contact_id)
     select $1, id, 1, $2 from escalation_policies where org_id = $1`,
    [path[0], path[2]],
  )
  assert.deepEqual((await shown()).list, [0, 'ON'], 'the escalation of its tag')
  await fixture.db.run(`delete from escalation_policies where org_id = $1`, path.slice(0, 1))
  await fixture.db.run(
    `insert into monitor_alert_contacts (org_id, monitor_id, contact_id) values ($1, $2, $3)`,
    path,
  )
  const late = await shown()
  assert.deepEqual([late.alerting, late.list], ['ADDED_LATER', [0, 'ON']])
  await team.owner.patch(`${base}/alert-contacts/${contactId}`, { enabled: false })
  const off = await shown()
  assert.deepEqual([off.alerting, off.list], ['ADDED_LATER', [1, 'CONTACTS_OFF']])
})
