// What an organization is allowed to write, all of it: several keys at their rate limit, the largest bodies of each kind, jobs
// that ping with text and change the state of every monitor by every address it may have, and receivers that respond with much.
import { randomBytes } from 'node:crypto'
import type { Attack, Grounds, Run, Tally } from './grounds.ts'
import { addUp, type Hits, inBursts, openHits } from './load.ts'

const REQUEST_BODY_BYTES = 100_000
const PING_BYTES = 10_000
const MESSAGE = '𝐀'.repeat(10_000)
const FREE_ENDPOINTS = 2
const UPDATES_OF_INCIDENT = 120
const ALIASES_OF_MONITOR = 5

const letters = (bytes: number): string => randomBytes(bytes).toString('hex').slice(0, bytes)

type Endpoint = { id: string }

async function listEndpoints(hits: Hits): Promise<Endpoint[]> {
  const listed = await hits.byKey({ path: '/webhook-endpoints' })
  if (listed.status !== 200) throw new Error(`endpoints: ${listed.status} ${listed.text}`)
  return (JSON.parse(listed.text) as { data: Endpoint[] }).data
}

/** The paths that jobs of every monitor ping: its own, and those of aliases. Set by `prepare`. */
let pingPaths: readonly string[] = []

/** Endpoints whose receiver sends as much as it may, and only monitors that are pinged. */
async function prepare({ grounds, servers }: Run): Promise<void> {
  const hits = openHits(grounds, 'prepare')
  pingPaths = [
    grounds.heartbeatPath,
    ...(await Promise.all(grounds.monitorIds.map((id) => makePinged(hits, id)))),
    ...(await addAliases(hits, grounds)),
  ]
  await removeEndpoints(hits)
  const url = `http://127.0.0.1:${servers.receiverPort}/much`
  for (let made = 0; made < FREE_ENDPOINTS; made++) {
    const answer = await hits.byKey({ method: 'POST', path: '/webhook-endpoints', body: { url } })
    if (answer.status !== 201) throw new Error(`receiver: ${answer.status} ${answer.text}`)
  }
  hits.close()
}

async function makePinged(hits: Hits, id: string): Promise<string> {
  const answer = await hits.byKey({
    method: 'PATCH',
    path: `/monitors/${id}`,
    body: { type: 'CRON' },
  })
  if (answer.status !== 200) throw new Error(`job: ${answer.status} ${answer.text}`)
  return new URL((JSON.parse(answer.text) as { heartbeatUrl: string }).heartbeatUrl).pathname
}

/** The same each time: those that exist stay. */
async function addAliases(hits: Hits, { monitorIds, jobId, keys }: Grounds): Promise<string[]> {
  const aliases = [...monitorIds, jobId].flatMap((monitorId) =>
    Array.from({ length: ALIASES_OF_MONITOR }, (_, at) => ({
      monitorId,
      token: `${monitorId}-${at}`,
    })),
  )
  const answer = await hits.bare({
    method: 'POST',
    path: '/api/ext/v1/ping-aliases',
    headers: { 'X-API-Key': keys.at(-1) ?? '' },
    body: { aliases },
  })
  if (answer.status !== 200) throw new Error(`aliases: ${answer.status} ${answer.text}`)
  const prefix = new URL((JSON.parse(answer.text) as { prefix: string }).prefix).pathname
  return aliases.map(({ token }) => `${prefix}/${token}`)
}

async function removeEndpoints(hits: Hits): Promise<void> {
  for (const { id } of await listEndpoints(hits))
    await hits.byKey({ method: 'DELETE', path: `/webhook-endpoints/${id}` })
}

async function writeAll({ grounds, endMs }: Run): Promise<Tally> {
  const { monitorIds, pageId } = grounds
  const hits = openHits(grounds, 'all')
  const endpoints = await listEndpoints(hits)
  let incidentId: string | undefined
  const publish = async () => {
    const body = { title: 'Incident', message: MESSAGE, statusPageIds: [pageId] }
    const made = await hits.byKey({ method: 'POST', path: '/status-incidents', body })
    if (made.status === 201) incidentId = (JSON.parse(made.text) as { id: string }).id
  }
  const ways: ((number: number) => Promise<unknown>)[] = [
    (number) =>
      hits.byKey({
        method: 'PATCH',
        path: `/monitors/${monitorIds[number % monitorIds.length]}`,
        headers: { 'Idempotency-Key': `all-${endMs}-${number}` },
        body: { method: 'POST', requestBody: letters(REQUEST_BODY_BYTES) },
      }),
    (number) => {
      // Its event carries the latest updates: the more there are, the larger it is.
      if (incidentId === undefined || number % UPDATES_OF_INCIDENT === 1) return publish()
      const path = `/status-incidents/${incidentId}/updates`
      return hits.byKey({ method: 'POST', path, body: { message: MESSAGE } })
    },
    (number) => {
      const path = `/webhook-endpoints/${endpoints[number % endpoints.length]?.id}/test`
      return hits.byKey({ method: 'POST', path, body: {} })
    },
  ]
  await inBursts({ size: 8, everyMs: 500, endMs }, async (number) => {
    await ways[number % ways.length]?.(number)
  })
  await tidyUp(grounds)
  return hits.tally
}

/** Later attacks find the monitors and receivers that they expect. */
async function tidyUp(grounds: Grounds): Promise<void> {
  const hits = openHits(grounds, 'prepare')
  await removeEndpoints(hits)
  for (const id of grounds.monitorIds) {
    const body = { type: 'HTTP', method: 'GET', requestBody: null }
    await hits.byKey({ method: 'PATCH', path: `/monitors/${id}`, body })
  }
  hits.close()
}

async function pingMuch({ grounds, endMs }: Run): Promise<Tally> {
  const hits = openHits(grounds, 'ping')
  await inBursts({ size: 10, everyMs: 250, endMs }, (number) => {
    const round = Math.floor(number / pingPaths.length)
    return hits.bare({
      method: 'POST',
      path: `${pingPaths[number % pingPaths.length]}${round % 2 === 0 ? '/fail' : ''}`,
      body: letters(PING_BYTES),
    })
  })
  return hits.tally
}

export const everything: Attack = {
  prepare,
  attack: async (run) => addUp(await Promise.all([writeAll(run), pingMuch(run)])),
}
