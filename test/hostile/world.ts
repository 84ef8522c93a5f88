// The product as most people run it: one process with every role, a well-behaved organization and an attacking one. All
// test files of a run share it, and the quiet phase that every attack is compared with.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Service, type Stack, startStack } from '../../tools/stack.ts'
import { hashKey } from '../kit/api-key.ts'
import { type Database, openDatabase } from '../kit/database.ts'
import { insertKey } from '../kit/fixture.ts'
import { toId, toUuid } from '../kit/ids.ts'
import { type Grounds, OWNER_TASKS, READER_TASKS, type Tally } from './attacker/grounds.ts'
import { Attacker } from './attacker/handle.ts'
import { ATTACKER_KEYS } from './attacker/load.ts'
import { type Figures, tableOf } from './figures.ts'
import { addMember, openSession, type Person, type Role } from './people.ts'
import { createSender } from './send.ts'
import { readStorage, type Storage } from './storage.ts'
import { VICTIM_ADDRESS, Victim } from './victim.ts'

export const QUIET_SECONDS = Number(process.env['HOSTILE_QUIET_SECONDS'] ?? 30)
export const ATTACK_SECONDS = Number(process.env['HOSTILE_SECONDS'] ?? 20)

export const VICTIM_KEYS = 25
const FREE_MONITORS = 19
const CROWD_PEOPLE = 5
const SESSIONS_EACH = 60
const ALIVE_WITHIN_MS = 15_000
const QUIET_AGAIN_MS = 30_000
const POLL_MS = 250

export type World = {
  victim: Victim
  /** A person of the victim's organization, and the Cookie header of their browser. */
  person: Person
  cookie: string
  orgId: string
  /** By the name of an attack. */
  prepare(attack: string): Promise<unknown>
  attack(attack: string, seconds: number): Promise<{ tally: Tally }>
  quiet: Figures
  phases: Figures[]
  /** What the attacker has stored. `endDay`: as if the day were over. */
  storage: { read(): Promise<Storage>; endDay(): Promise<unknown> }
  /** Waits until the product is fast again; restarts it if it no longer responds. */
  recover(): Promise<void>
  end(): Promise<void>
}

let shared: Promise<World> | undefined

export function getWorld(): Promise<World> {
  shared ??= startWorld()
  return shared
}

/** Stops everything and prints the figures; does nothing if there is no world. */
export async function endWorld(): Promise<void> {
  const world = await shared?.catch(() => undefined)
  shared = undefined
  if (world === undefined) return
  process.stdout.write(`\n${tableOf([world.quiet, ...world.phases])}\n\n`)
  await world.end()
}

async function startWorld(): Promise<World> {
  // Stopped in reverse order, even if a part fails to start.
  const ends: (() => unknown)[] = []
  const end = async () => {
    for (const each of ends.toReversed()) await each()
  }
  try {
    return await buildWorld(ends, end)
  } catch (error) {
    await end()
    throw error
  }
}

async function buildWorld(ends: (() => unknown)[], end: () => Promise<void>): Promise<World> {
  const attacker = await Attacker.start()
  ends.push(() => attacker.stop())
  const stack = await startStack({ nats: false, env: environmentOf(attacker) })
  ends.push(() => stack.stop())
  const db = openDatabase(stack.databaseUrl)
  ends.push(() => db.close())
  await db.run('update organizations set private_targets = true')
  const orgId = stack.organizationId
  const victim = new Victim({ db, orgId, keys: await addKeys(db, orgId, VICTIM_KEYS) })
  ends.push(() => victim.close())
  const person = await addMember(db, orgId, 'OWNER')
  const cookie = await openSession(db, person)
  let service = await stack.start('start')
  victim.follow(service)
  await victim.settle()
  const grounds = await layGrounds(stack, db, service, person)
  const quiet = await victim.measure('quiet', QUIET_SECONDS)
  const recover = async () => {
    if (!(await victim.isAlive(ALIVE_WITHIN_MS))) {
      await service.kill()
      const port = Number(new URL(service.baseUrl).port)
      service = await stack.start('start', { port })
      victim.follow(service)
    }
    await untilQuick(victim, quiet)
  }
  const storage = {
    read: () => readStorage(db, toUuid(grounds.orgId)),
    endDay: () => db.run('update day_usage set day = day - 1'),
  }
  const people = { victim, person, cookie, orgId }
  return {
    ...people,
    quiet,
    phases: [],
    storage,
    prepare: (attack) => attacker.prepare(attack, grounds),
    attack: (attack, seconds) => attacker.attack(attack, grounds, seconds),
    recover,
    end,
  }
}

function environmentOf({ servers }: Attacker): Record<string, string> {
  return {
    LOG_LEVEL: 'warn',
    SMTP_URL: `smtp://127.0.0.1:${servers.smtpPort}?tls=off`,
    SMTP_FROM: 'status@upvane.example',
    WHOIS_SERVER: servers.whoisServer,
    RDAP_BOOTSTRAP_URL: servers.bootstrapUrl,
    // Fewer than the private API's rate limit lets one organization open in a minute.
    STREAMS_PER_PROCESS: '2000',
  }
}

export async function addKeys(db: Database, orgId: string, count: number): Promise<string[]> {
  const keys: string[] = []
  for (let number = 0; number < count; number++)
    keys.push(await insertKey(db, orgId, { name: `Key ${number}` }))
  return keys
}

/** What an organization on the FREE plan may have, and people in it. */
async function layGrounds(
  stack: Stack,
  db: Database,
  { baseUrl }: Service,
  victim: Person,
): Promise<Grounds> {
  const { uuid } = await db.one<{ uuid: string }>(
    'select org_id as uuid from api_keys where hash = $1',
    [hashKey(stack.keys.freePlan)],
  )
  const orgId = toId('org', uuid)
  // A calendar of hundreds of windows and a second page need a larger plan; everything else is as in FREE.
  await db.run(
    `update organizations set limit_overrides = '{"openWindows": 1000, "statusPages": 2}' where id = $1`,
    [uuid],
  )
  const keys = await addKeys(db, orgId, ATTACKER_KEYS)
  const sender = createSender(baseUrl, VICTIM_ADDRESS)
  const create = async <T>(path: string, body: object): Promise<T> => {
    const headers = { 'X-API-Key': keys.at(-1) ?? '' }
    const answer = await sender.send({ method: 'POST', path: `/api/v1${path}`, headers, body })
    assert.equal(answer.status, 201, answer.text)
    return JSON.parse(answer.text) as T
  }
  const monitorIds: string[] = []
  for (let number = 0; number < FREE_MONITORS; number++)
    monitorIds.push((await create<{ id: string }>('/monitors', newMonitor(number))).id)
  type Page = { id: string; slug: string }
  const page = await create<Page>('/status-pages', newPage('free-page', monitorIds))
  const locked = await create<Page>('/status-pages', newPage('locked-page', []))
  const job = { name: 'Job', type: 'CRON' }
  const cron = await create<{ id: string; heartbeatUrl: string }>('/monitors', job)
  sender.close()
  const member = async (role: Role) => addMember(db, orgId, role)
  return {
    baseUrl,
    orgId,
    keys,
    owners: await openSessions(db, await member('OWNER'), OWNER_TASKS),
    readers: await openSessions(db, await member('READ_ONLY'), READER_TASKS),
    crowd: await makeCrowd(db, member),
    victimEmails: [victim.email, 'demo@example.com'],
    slug: page.slug,
    pageId: page.id,
    lockedPageId: locked.id,
    monitorIds,
    jobId: cron.id,
    heartbeatPath: new URL(cron.heartbeatUrl).pathname,
  }
}

async function openSessions<T extends string>(
  db: Database,
  person: Person,
  tasks: readonly T[],
): Promise<Record<T, string>> {
  const sessions: [T, string][] = []
  for (const task of tasks) sessions.push([task, await openSession(db, person)])
  return Object.fromEntries(sessions) as Record<T, string>
}

async function makeCrowd(db: Database, member: (role: Role) => Promise<Person>): Promise<string[]> {
  const crowd: string[] = []
  for (let people = 0; people < CROWD_PEOPLE; people++) {
    const person = await member('READ_ONLY')
    for (let sessions = 0; sessions < SESSIONS_EACH; sessions++)
      crowd.push(await openSession(db, person))
  }
  return crowd
}

const newMonitor = (number: number) => ({
  name: `Free ${number}`,
  type: 'HTTP',
  url: 'http://127.0.0.1:1/',
  intervalSeconds: 300,
})

const newPage = (slug: string, monitorIds: readonly string[]) => ({
  name: 'Free page',
  slug,
  sections: [
    {
      name: null,
      components: monitorIds.map((monitorId, i) => ({ name: `Part ${i}`, monitorId })),
    },
  ],
})

/** Waits for three fast responses in a row, or until the time limit. */
export async function untilQuick(victim: Victim, quiet: Figures): Promise<void> {
  const lastMs = Date.now() + QUIET_AGAIN_MS
  for (let quick = 0; quick < 3 && Date.now() < lastMs; ) {
    const { status, ms } = await victim.send({ path: '/monitors?limit=25' })
    const slowest = Math.max(...quiet.list.map((sample) => sample.ms))
    quick = status === 200 && ms <= slowest ? quick + 1 : 0
    await sleep(POLL_MS)
  }
}
