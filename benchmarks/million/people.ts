// What people do to a large organization: a member pauses all of its monitors, the operator deletes it.
import { toPublicId } from '../../src/domain/values/id.ts'
import { createKey } from '../../src/operator/organizations/keys.ts'
import { hashPassword } from '../../src/platform/crypto/password.ts'
import { Database } from '../../src/store/core/db.ts'
import { runCommand } from '../../test/fault/run-command.ts'
import { keepAlive, Visitor } from '../../test/kit/private-client.ts'
import { addPerson, openPeople } from '../../tools/accounts.ts'
import type { Service, Stack } from '../../tools/stack.ts'
import { BATCH, batchName } from './kinds.ts'

const PERSON = { email: 'million@example.com', password: 'a million vanes turn at once' }

type Bulk = { id: string; total: number; changed: number; refused: number; left: number }
export type BulkFigures = {
  monitors: number
  changed: number
  seconds: number
  rounds: number
  slowestRoundMs: number
}
export type DeletionFigures = { monitors: number; rows: number; seconds: number }

/** An API key of one of the filled organizations. */
export async function createOrganizationKey(stack: Stack, orgId: string): Promise<string> {
  const { DATABASE_URL: url = '' } = stack.env
  const database = new Database({ url, role: 'upvane_engine', connections: 1 })
  try {
    return (await createKey(database, { org: toPublicId('org', orgId), name: 'Load' })).key
  } finally {
    await database.close()
  }
}

export async function signInOwner(stack: Stack, api: Service, orgId: string): Promise<Visitor> {
  const people = openPeople(stack.env['DATABASE_URL'] ?? '')
  const passwordHash = await hashPassword(PERSON.password)
  const person = { email: PERSON.email, name: 'Million', role: 'OWNER', passwordHash } as const
  await addPerson(people, toPublicId('org', orgId), person)
  await people.close()
  const visitor = new Visitor({ baseUrl: api.baseUrl, agent: keepAlive() })
  const answer = await visitor.signIn(PERSON.email, PERSON.password)
  if (answer.status >= 300) throw new Error(`Signing in failed: ${answer.text}`)
  return visitor
}

/** As in the dashboard: one change for each 10,000 monitors, in rounds. `monitors` are the organization's first. */
export async function pauseAll(
  visitor: Visitor,
  orgId: string,
  monitors: number,
): Promise<BulkFigures> {
  const path = `/organizations/${toPublicId('org', orgId)}/monitor-bulks`
  const startMs = performance.now()
  const figures: BulkFigures = { monitors, changed: 0, seconds: 0, rounds: 0, slowestRoundMs: 0 }
  for (let batch = 0; batch * BATCH < monitors; batch++) {
    const expected = Math.min(BATCH, monitors - batch * BATCH)
    const wish = { do: 'PAUSE', filter: { q: batchName(batch) }, expected }
    let bulk = await ask(visitor, path, wish)
    while (bulk.left > 0) {
      const roundMs = performance.now()
      bulk = await ask(visitor, `${path}/${bulk.id}/rounds`)
      figures.rounds += 1
      figures.slowestRoundMs = Math.max(figures.slowestRoundMs, performance.now() - roundMs)
    }
    figures.changed += bulk.changed
  }
  return { ...figures, seconds: (performance.now() - startMs) / 1000 }
}

async function ask(visitor: Visitor, path: string, body?: object): Promise<Bulk> {
  const answer = await visitor.post(path, body)
  if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.text}`)
  return answer.json as Bulk
}

/** `upvane org delete`, while the service keeps running. */
export async function deleteOrganization(stack: Stack, orgId: string): Promise<DeletionFigures> {
  const startMs = performance.now()
  type Deleted = { removed: Record<string, number>; rows: number }
  const id = toPublicId('org', orgId)
  const { removed, rows } = await runCommand<Deleted>(stack, 'org', 'delete', id, '--yes')
  const seconds = (performance.now() - startMs) / 1000
  return { monitors: removed['monitors'] ?? 0, rows, seconds }
}
