// Servers that misbehave, as targets of checks, as registries and as receivers of webhooks.
import type { Attack, Run, Tally } from './grounds.ts'
import { addUp, inBursts, openHits } from './load.ts'

const RECEIVERS = ['/hang', '/drip', '/busy', '/redirect']
const FREE_ENDPOINTS = 2

async function prepare({ grounds, servers }: Run): Promise<void> {
  const hits = openHits(grounds, 'prepare')
  const names = Object.keys(servers.targets)
  await Promise.all(
    grounds.monitorIds.slice(0, names.length * 2).map(async (id, number) => {
      const port = servers.targets[names[number % names.length] ?? '']
      const type = number < names.length ? 'HTTP' : 'KEYWORD'
      const body = {
        type,
        timeoutSeconds: 2,
        url: `http://127.0.0.1:${port}/`,
        ...(type === 'KEYWORD' && { keyword: 'never there' }),
      }
      const answer = await hits.byKey({ method: 'PATCH', path: `/monitors/${id}`, body })
      if (answer.status !== 200) throw new Error(`target: ${answer.status} ${answer.text}`)
    }),
  )
  const have = await hits.byKey({ path: '/webhook-endpoints' })
  if ((JSON.parse(have.text) as { data: unknown[] }).data.length >= FREE_ENDPOINTS) return
  for (const path of RECEIVERS.slice(0, FREE_ENDPOINTS)) {
    const url = `http://127.0.0.1:${servers.receiverPort}${path}`
    const answer = await hits.byKey({ method: 'POST', path: '/webhook-endpoints', body: { url } })
    if (answer.status !== 201) throw new Error(`receiver: ${answer.status} ${answer.text}`)
  }
}

/** On-demand checks of every hostile target. */
async function checkTargets({ grounds, endMs }: Run): Promise<Tally> {
  const hits = openHits(grounds, 'check')
  const { monitorIds } = grounds
  await inBursts({ size: 14, everyMs: 500, endMs }, (number) =>
    hits.byKey({ method: 'POST', path: `/monitors/${monitorIds[number % 14]}/check`, body: {} }),
  )
  return hits.tally
}

/** Domains never requested before, each of which causes a query to the hostile WHOIS. */
async function tryDomains({ grounds, endMs }: Run): Promise<Tally> {
  const hits = openHits(grounds, 'whois')
  const { orgId, owners } = grounds
  await inBursts({ size: 7, everyMs: 300, endMs }, (number) =>
    hits.bySession(owners.domains, {
      method: 'POST',
      path: `/organizations/${orgId}/monitor-trials`,
      body: { name: 'Domain', type: 'DOMAIN', url: `${endMs}-${number}.org` },
    }),
  )
  return hits.tally
}

/** Events for the hostile receivers, which change their behavior meanwhile. */
async function makeEvents({ grounds, servers, endMs }: Run): Promise<Tally> {
  const hits = openHits(grounds, 'event')
  const { monitorIds } = grounds
  const listed = await hits.byKey({ path: '/webhook-endpoints' })
  if (listed.status !== 200) return hits.tally
  const endpoints = (JSON.parse(listed.text) as { data: { id: string }[] }).data
  await inBursts({ size: 6, everyMs: 250, endMs }, async (number) => {
    const endpoint = endpoints[number % endpoints.length]?.id
    if (number % 3 === 0)
      return hits.byKey({ method: 'POST', path: `/webhook-endpoints/${endpoint}/test`, body: {} })
    if (number % 20 === 1) {
      const url = `http://127.0.0.1:${servers.receiverPort}${RECEIVERS[number % RECEIVERS.length]}`
      const path = `/webhook-endpoints/${endpoint}`
      return hits.byKey({ method: 'PATCH', path, body: { url, enabled: true } })
    }
    const path = `/monitors/${monitorIds[number % monitorIds.length]}`
    return hits.byKey({ method: 'PATCH', path, body: { name: `Event ${number}` } })
  })
  return hits.tally
}

export const whois: Attack = { attack: tryDomains }
export const servers: Attack = {
  prepare,
  attack: async (run) =>
    addUp(await Promise.all([checkTargets(run), tryDomains(run), makeEvents(run)])),
}
