// An organization in which every text is an attack, by its members and by its targets.
import assert from 'node:assert/strict'
import { createTeam } from '../../private/screens.ts'
import type { ExternalServices } from '../external-services.ts'
import { type Shared, until } from '../shared.ts'

/** Each part would set `hacked` if it were treated as anything but text. */
const ATTACK = `'"><img src=x onerror=hacked=1><script>hacked=1</script><svg/onload=hacked=1>{{7*7}}`

export type Hostile = {
  orgId: string
  /** Screens that show check results, in addition to one per route. */
  watched: readonly string[]
  /** Screens that show an issuer or a registrar, and how. */
  issuers: readonly (readonly [path: string, shown: string])[]
  /** The value for a parameter of a route. */
  idOf(path: string, parameter: string): string
  /** Writes that a read-only member must be refused. */
  writes: readonly (readonly [method: string, path: string])[]
}

/** Targets that respond with an attack: names, records, a certificate, a registrar, a redirect. Each is down. */
const watched = ({ hostile, web }: ExternalServices) => [
  { type: 'DNS', url: 'hostile.test', dnsRecordType: 'TXT', dnsExpected: ATTACK },
  { type: 'DNS', url: 'hostile.test', dnsRecordType: 'CNAME', dnsExpected: 'named.test' },
  { type: 'SSL', url: `hostile.test:${hostile.port}`, verifySsl: true },
  { type: 'DOMAIN', url: 'hostile.com' },
  { type: 'HTTP', url: hostile.page({ status: 503, body: ATTACK }).url, verifySsl: false },
  {
    type: 'HTTP',
    url: web.page({ status: 302, headers: { Location: `javascript:hacked=1//${ATTACK}` } }).url,
  },
  {
    type: 'HTTP',
    url: web.page({ status: 302, headers: { Location: `/nowhere?${ATTACK}` } }).url,
  },
]

/** As text, without the line breaks and direction marks of the originals. */
const ISSUERS = {
  SSL: 'issued by <script>hacked=1</script> eslaf',
  DOMAIN: 'registered at <script>hacked=1</script> <img src=x onerror=hacked=1>',
}

type CreatedMonitor = { id: string; heartbeatUrl?: string | null }
type Make = (path: string, body: object) => Promise<CreatedMonitor>

/** A job's failure message is shown as received; pages of a private network are not stored. */
async function failJob(make: Make): Promise<CreatedMonitor> {
  const job = await make('/monitors', { name: `CRON ${ATTACK}`, type: 'CRON' })
  const response = await fetch(`${job.heartbeatUrl}/fail`, { method: 'POST', body: ATTACK })
  assert.equal(response.status, 200)
  return job
}

export async function fillHostile({ fixture, out }: Shared): Promise<Hostile> {
  const team = await createTeam(fixture)
  const at = `/organizations/${team.orgId}`
  const make: Make = async (path, body) => {
    const answer = await team.owner.post(`${at}${path}`, body)
    assert.ok(answer.status < 300, answer.text)
    return answer.json as CreatedMonitor
  }
  await team.owner.patch(at, { name: ATTACK })
  await team.owner.patch('/me', { name: ATTACK })
  const target = out.web.page({
    status: 503,
    headers: { Server: '<script>hacked=1</script>', 'Content-Type': 'text/html' },
    body: ATTACK,
  })
  const monitor = await make('/monitors', {
    name: ATTACK,
    type: 'KEYWORD',
    url: `${target.url}?q=${encodeURIComponent(ATTACK)}`,
    keyword: ATTACK,
  })
  const targets = watched(out)
  const others = await Promise.all(
    targets.map((one) => make('/monitors', { ...one, name: `${one.type} ${ATTACK}` })),
  )
  const issuers = Object.entries(ISSUERS).map(([type, shown]) => {
    const issued = others[targets.findIndex((one) => one.type === type)]
    return [`/monitors/${issued?.id}`, shown] as const
  })
  others.push(await failJob(make))
  const contact = await make('/alert-contacts', {
    name: ATTACK,
    channel: 'EMAIL',
    settings: { address: 'ops@example.com' },
  })
  const steps = [{ afterMinutes: 60, contactIds: [contact.id] }]
  await team.owner.request('PUT', `${at}/escalation-policies/${monitor.id}`, { body: { steps } })
  const endpoint = await make('/webhook-endpoints', {
    url: `${out.web.page({ status: 500, body: ATTACK }).url}?q=${encodeURIComponent(ATTACK)}`,
    description: ATTACK,
    eventTypes: ['*'],
  })
  const key = await make('/keys', { name: ATTACK })
  const incidents = await until('an incident of each', async () => {
    const { data } = await team.read('incidents', '/overview/incidents?status=ONGOING')
    return data.length === 1 + others.length ? data : undefined
  })
  const incident = incidents.find((one) => one.monitor.id === monitor.id)
  assert.ok(incident)
  await make(`/incidents/${incident.id}/acknowledge`, { note: ATTACK })
  await make(`/incidents/${incident.id}/notes`, { text: ATTACK })
  // After the incident: a monitor in maintenance opens none.
  const window = await make('/maintenance-windows', {
    name: ATTACK,
    description: ATTACK,
    startsAt: new Date().toISOString(),
    endsAt: new Date(Date.now() + 3_600_000).toISOString(),
    timezone: 'Europe/Berlin',
    monitorIds: [monitor.id],
  })
  const page = await make('/status-pages', { name: ATTACK, monitorIds: [monitor.id] })
  const published = await make('/status-incidents', {
    title: ATTACK,
    message: ATTACK,
    statusPageIds: [page.id],
  })
  const ids: Record<string, string> = {
    statusPageId: page.id,
    statusIncidentId: published.id,
    monitorId: monitor.id,
    contactId: contact.id,
    endpointId: endpoint.id,
    windowId: window.id,
    incidentId: incident.id,
  }
  return {
    orgId: team.orgId,
    watched: [
      ...others.map(({ id }) => `/monitors/${id}`),
      ...incidents.map(({ id }) => `/incidents/${id}`),
    ],
    issuers,
    idOf(path, parameter) {
      const id = ids[parameter]
      assert.ok(id, `${path} needs something for ${parameter}`)
      return id
    },
    writes: [
      ['POST', '/monitors'],
      ['PATCH', `/monitors/${monitor.id}`],
      ['POST', `/monitors/${monitor.id}/pause`],
      ['DELETE', `/monitors/${monitor.id}`],
      ['POST', `/incidents/${incident.id}/acknowledge`],
      ['POST', '/alert-contacts'],
      ['POST', `/alert-contacts/${contact.id}/test`],
      ['POST', '/webhook-endpoints'],
      ['POST', `/webhook-endpoints/${endpoint.id}/rotate-secret`],
      ['POST', '/maintenance-windows'],
      ['POST', '/keys'],
      ['DELETE', `/keys/${key.id}`],
      ['POST', '/invitations'],
      ['POST', '/status-pages'],
    ],
  }
}
