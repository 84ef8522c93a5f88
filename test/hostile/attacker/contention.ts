// Many writes at once of what one row or one slow hash holds up.
import type { Attack, Run, Tally } from './grounds.ts'
import { addUp, inBursts, openHits } from './load.ts'

const WRITE_KEYS = 15
const SIZES = { writes: 200, passwords: 60, names: 100 }

/** All with one key while its limit lasts, then with the next. */
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

async function patchPage(
  { grounds, endMs }: Run,
  label: 'passwords' | 'names',
  body: (number: number) => object,
): Promise<Tally> {
  const hits = openHits(grounds, label)
  const { orgId, pageId, owners } = grounds
  await inBursts({ size: SIZES[label], everyMs: 500, endMs }, (number) =>
    hits.bySession(owners[label], {
      method: 'PATCH',
      path: `/organizations/${orgId}/status-pages/${pageId}`,
      body: body(number),
    }),
  )
  return hits.tally
}

const sendNames = (run: Run) => patchPage(run, 'names', (number) => ({ name: `Page ${number}` }))

async function sendPasswords(run: Run): Promise<Tally> {
  const tally = await patchPage(run, 'passwords', (number) => ({
    password: `another word ${number}`,
  }))
  const hits = openHits(run.grounds, 'reset')
  const path = `/status-pages/${run.grounds.pageId}`
  await hits.byKey({ method: 'PATCH', path, body: { password: null } })
  return tally
}

export const writes: Attack = { attack: sendWrites }
export const passwords: Attack = { attack: sendPasswords }
export const names: Attack = { attack: sendNames }
export const contention: Attack = {
  attack: async (run) =>
    addUp(await Promise.all([sendWrites(run), sendPasswords(run), sendNames(run)])),
}
