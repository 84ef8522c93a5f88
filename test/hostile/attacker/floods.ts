// Operations that are harmless once, requested without end.
import type { Attack, Run, Tally } from './grounds.ts'
import { addUp, inBursts, openHits } from './load.ts'

/** Wrong passwords for the victim's people. */
async function guess({ grounds, endMs }: Run): Promise<Tally> {
  const hits = openHits(grounds, 'sign-in')
  const { victimEmails } = grounds
  await inBursts({ size: 20, everyMs: 200, endMs }, (number) =>
    hits.bare({
      method: 'POST',
      path: '/app/api/session',
      headers: { 'Sec-Fetch-Site': 'same-origin' },
      body: {
        email: victimEmails[number % victimEmails.length],
        password: `wrong horse ${number}`,
      },
    }),
  )
  return hits.tally
}

async function makeKeys({ grounds, endMs }: Run): Promise<Tally> {
  const hits = openHits(grounds, 'key')
  const { orgId, owners } = grounds
  await inBursts({ size: 10, everyMs: 200, endMs }, (number) =>
    hits.bySession(owners.keys, {
      method: 'POST',
      path: `/organizations/${orgId}/keys`,
      body: { name: `Key ${number}` },
    }),
  )
  return hits.tally
}

async function testContacts({ grounds, endMs }: Run): Promise<Tally> {
  const hits = openHits(grounds, 'contact')
  const { orgId, owners } = grounds
  const path = `/organizations/${orgId}/alert-contacts`
  const settings = { address: 'stranger@example.com' }
  const body = { name: 'Stranger', channel: 'EMAIL', settings }
  const made = await hits.bySession(owners.contacts, { method: 'POST', path, body })
  const { id } = (made.status === 201 ? JSON.parse(made.text) : {}) as { id?: string }
  await inBursts({ size: 10, everyMs: 200, endMs }, () =>
    hits.bySession(owners.contacts, { method: 'POST', path: `${path}/${id}/test` }),
  )
  return hits.tally
}

/** Names that no page has, so that each must be looked up. */
async function nameHosts({ grounds, endMs }: Run): Promise<Tally> {
  const hits = openHits(grounds, 'host')
  await inBursts({ size: 20, everyMs: 200, endMs }, (number) =>
    hits.bare({ path: '/', headers: { Host: `status-${number}.example.com` } }),
  )
  return hits.tally
}

async function beat({ grounds, endMs }: Run): Promise<Tally> {
  const hits = openHits(grounds, 'heartbeat')
  await inBursts({ size: 20, everyMs: 100, endMs }, () =>
    hits.bare({ method: 'POST', path: grounds.heartbeatPath }),
  )
  return hits.tally
}

/** The same request many times over, under one idempotency key. */
async function repeat({ grounds, endMs }: Run): Promise<Tally> {
  const hits = openHits(grounds, 'repeat')
  const { monitorIds } = grounds
  await inBursts({ size: 30, everyMs: 500, endMs }, (number) =>
    hits.byKey({
      method: 'PATCH',
      path: `/monitors/${monitorIds[0]}`,
      headers: { 'Idempotency-Key': `repeat-${endMs}-${Math.floor(number / 30)}` },
      body: { name: 'Repeated' },
    }),
  )
  return hits.tally
}

export const signIns: Attack = { attack: guess }
export const floods: Attack = {
  attack: async (run) => {
    const floods = [guess, makeKeys, testContacts, nameHosts, beat, repeat]
    return addUp(await Promise.all(floods.map((flood) => flood(run))))
  },
}
