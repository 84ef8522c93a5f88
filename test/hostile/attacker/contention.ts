// Many concurrent writes that are serialized by one row or by one slow hash.
import type { Attack, Run, Tally } from './grounds.ts'
import { addUp, inBursts, openHits } from './load.ts'

const WRITE_KEYS = 15
const SIZES = { writes: 200, passwords: 60, names: 100 }

/** All with one key until its limit is reached, then with the next. */
async function sendWrites({ grounds, endMs }: Run): Promise<Tally> {
  const hits = openHits(grounds, 'write')
  const { monitorIds, keys } = grounds
  await inBursts({ size: SIZES.writes, everyMs: 500, endMs }, (number) =>
    hits.byKey({
      method: 'PATCH',
      path: `/monitors/${monitorIds[number % monitorIds.length]}`,
      headers: { 'X-API-Key': keys[Math.floor(number / 100) % WRITE_KEYS] ?? '' },
      body: { name: `Changed ${number}` },
    }),
  )
  return hits.tally
}

type PageChange = { label: 'passwords' | 'names'; pageId: string; body(number: number): object }

async function patchPage(
  { grounds, endMs }: Run,
  { label, pageId, body }: PageChange,
): Promise<Tally> {
  const hits = openHits(grounds, label)
  const { orgId, owners } = grounds
  await inBursts({ size: SIZES[label], everyMs: 500, endMs }, (number) =>
    hits.bySession(owners[label], {
      method: 'PATCH',
      path: `/organizations/${orgId}/status-pages/${pageId}`,
      body: body(number),
    }),
  )
  return hits.tally
}

const sendNames = (run: Run) => {
  const body = (number: number) => ({ name: `Page ${number}` })
  return patchPage(run, { label: 'names', pageId: run.grounds.pageId, body })
}

const sendPasswords = (run: Run) => {
  const body = (number: number) => ({ password: `another word ${number}` })
  return patchPage(run, { label: 'passwords', pageId: run.grounds.lockedPageId, body })
}

export const writes: Attack = { attack: sendWrites }
export const passwords: Attack = { attack: sendPasswords }
export const names: Attack = { attack: sendNames }
export const contention: Attack = {
  attack: async (run) =>
    addUp(await Promise.all([sendWrites(run), sendPasswords(run), sendNames(run)])),
}
