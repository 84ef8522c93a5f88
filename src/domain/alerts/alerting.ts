// Who is told what, now. Pure: from what is wrong, who is concerned and what they were told before. Told once, of the
// end too, and nobody of an end whose beginning they never heard of.
import type { AlertKind } from './alert.ts'
import { closeThreads, threadsOf } from './closing.ts'
import { type Cluster, clustersOf, type Timing } from './clusters.ts'
import type { ContactChannel } from './contact.ts'
import { isForOwners } from './failing-endpoint.ts'
import { type QuietHours, quietUntil } from './quiet-hours.ts'

export const ALERT_STATES = [
  'DOWN',
  'DEGRADED',
  'RECOVERED',
  'EXPIRING',
  'DNS_CHANGED',
  'WEBHOOK_FAILING',
] as const
export type AlertState = (typeof ALERT_STATES)[number]
export type TroubleKind = Exclude<AlertState, 'RECOVERED'>

export type AlertRules = {
  states: readonly AlertState[]
  delayMinutes: number
  reminderMinutes: number | null
  quiet: QuietHours | null
}

/** Told and done: their end is no news. One that ends before it was told is not told at all. */
const TOLD_ONCE: ReadonlySet<TroubleKind> = new Set<TroubleKind>([
  'EXPIRING',
  'DNS_CHANGED',
  'WEBHOOK_FAILING',
])

/** Something contacts may be told of. */
export type Trouble = {
  uuid: string
  kind: TroubleKind
  /** Of WEBHOOK_FAILING the endpoint's. */
  monitorUuid: string
  host: string | null
  noticedAt: Date
  endedAt: Date | null
  /** How it ended, where that is known. */
  resolution: string | null
  acknowledgedAt: Date | null
  /** In a maintenance window: its beginning waits, and so do reminders. */
  isSilent: boolean
  /** Other monitors of its host have not been looked at since: they may be down too. */
  awaitsHost: boolean
  contactUuids: readonly string[]
}

export type Contact = {
  uuid: string
  channel: ContactChannel
  enabled: boolean
  rules: AlertRules
}

export type Telling = {
  troubleUuid: string
  contactUuid: string
  thread: string
  toldAt: Date
  remindedAt: Date | null
  endToldAt: Date | null
}

type AlertDesk = {
  troubles: readonly Trouble[]
  contacts: readonly Contact[]
  tellings: readonly Telling[]
}

export type AlertMessage = {
  contactUuid: string
  kind: AlertKind
  thread: string
  /** What it tells of; of a partial end also what goes on. */
  troubleUuids: readonly string[]
  openUuids: readonly string[]
}

export type AlertPlan = {
  messages: readonly AlertMessage[]
  /** New and changed ones. */
  tellings: readonly Telling[]
  /** Of these nobody would hear: there is no contact. The owners are told. */
  ownersUuids: readonly string[]
  /** Of these nothing will ever be told again. */
  doneUuids: readonly string[]
  /** Null: not before something ends or changes. */
  nextLookAt: Date | null
}

const MINUTE_MS = 60_000
// What is not known by a clock is looked for: a host's other monitors, the end of a window.
const LOOK_AGAIN_MS = 1_000

export function planAlerts(desk: AlertDesk, timing: Timing, now: Date): AlertPlan {
  const troubles = new Map(desk.troubles.map((trouble) => [trouble.uuid, trouble]))
  const steps = desk.contacts
    .filter(({ enabled }) => enabled)
    .map((contact) => planContact({ contact, troubles, tellings: desk.tellings, timing, now }))
  const changed = steps.flatMap(({ tellings }) => tellings)
  const waits = steps.flatMap((step) => step.waits.map((at) => at.getTime()))
  const tellings = new Map([...desk.tellings, ...changed].map((one) => [keyOf(one), one]))
  const ofTrouble = Map.groupBy(tellings.values(), ({ troubleUuid }) => troubleUuid)
  const contacts = new Map(desk.contacts.map((contact) => [contact.uuid, contact]))
  return {
    messages: steps.flatMap(({ messages }) => messages),
    tellings: changed,
    ownersUuids: desk.troubles.flatMap((trouble) => (isForOwners(trouble) ? trouble.uuid : [])),
    doneUuids: desk.troubles.flatMap((trouble) =>
      isDone(trouble, contacts, ofTrouble.get(trouble.uuid) ?? []) ? trouble.uuid : [],
    ),
    nextLookAt: waits.length === 0 ? null : new Date(Math.min(...waits)),
  }
}

type Step = { messages: AlertMessage[]; tellings: Telling[]; waits: Date[] }
type Scene = {
  contact: Contact
  troubles: ReadonlyMap<string, Trouble>
  tellings: readonly Telling[]
  timing: Timing
  now: Date
}

function planContact(scene: Scene): Step {
  const { contact, now } = scene
  const own = scene.tellings.filter(({ contactUuid }) => contactUuid === contact.uuid)
  const told = new Set(own.map(({ troubleUuid }) => troubleUuid))
  const untold = [...scene.troubles.values()].filter(
    ({ uuid, kind, endedAt, contactUuids }) =>
      endedAt === null &&
      !told.has(uuid) &&
      contactUuids.includes(contact.uuid) &&
      contact.rules.states.includes(kind),
  )
  const { left, ...closing } = closeThreads(contact, own, scene.troubles, now)
  const closed = { ...closing, waits: [] }
  const threads = threadsOf(left)
  if (untold.length === 0 && threads.length === 0) return closed

  const quietEnd = quietUntil(contact.rules.quiet, now)
  if (quietEnd !== undefined) return join([closed, wait(quietEnd)])

  return join([
    closed,
    ...threads.map((thread) => endThread(scene, thread)),
    ...threads.map((thread) => remind(scene, thread)),
    tellNew(scene, untold, left),
  ])
}

function tellNew(scene: Scene, untold: readonly Trouble[], own: readonly Telling[]): Step {
  const running = own.filter(({ endToldAt }) => endToldAt === null)
  const told = own.flatMap(({ troubleUuid }) => scene.troubles.get(troubleUuid) ?? [])
  const clusters = [...Map.groupBy(untold, ({ kind }) => kind)].flatMap(([kind, same]) =>
    clustersOf(
      same,
      told.filter((trouble) => trouble.kind === kind),
      scene.timing,
    ),
  )
  return join(clusters.map((cluster) => tellCluster(scene, cluster, running)))
}

function tellCluster(scene: Scene, cluster: Cluster, running: readonly Telling[]): Step {
  const { contact, now } = scene
  const { troubles, readyAt } = cluster
  const dueAt = after(readyAt, contact.rules.delayMinutes * MINUTE_MS)
  if (now < dueAt) return wait(troubles.some(isWaiting) ? soonest(dueAt, now) : dueAt)
  const loud = troubles.filter(({ isSilent }) => !isSilent)
  const silent = loud.length < troubles.length ? [wait(after(now, LOOK_AGAIN_MS))] : []
  return join([...silent, open(scene, loud, running)])
}

const wait = (at: Date): Step => ({ ...nothing(), waits: [at] })
const isWaiting = ({ awaitsHost }: Trouble) => awaitsHost
const soonest = (at: Date, now: Date) =>
  at < after(now, LOOK_AGAIN_MS) ? at : after(now, LOOK_AGAIN_MS)

function open(
  { contact, troubles, now }: Scene,
  told: Trouble[],
  running: readonly Telling[],
): Step {
  const [first] = told
  if (first === undefined) return nothing()
  const { kind } = first
  const contactUuid = contact.uuid
  // What gets worse goes on in the thread of how it began, so that its end is one.
  const monitors = new Set(told.map(({ monitorUuid }) => monitorUuid))
  const before = running.find(({ troubleUuid }) => {
    const trouble = troubles.get(troubleUuid)
    return trouble?.endedAt === null && monitors.has(trouble.monitorUuid)
  })
  const thread = before?.thread ?? first.uuid
  const isOver = TOLD_ONCE.has(kind)
  const troubleUuids = told.map(({ uuid }) => uuid)
  const tellings = troubleUuids.map((troubleUuid) => ({
    troubleUuid,
    contactUuid,
    thread,
    toldAt: now,
    remindedAt: null,
    endToldAt: isOver ? now : null,
  }))
  const message = { contactUuid, kind, thread, troubleUuids, openUuids: troubleUuids }
  const reminderAt = reminderDueAt(contact.rules, now)
  return { messages: [message], tellings, waits: reminderAt === undefined ? [] : [reminderAt] }
}

function endThread(scene: Scene, thread: readonly Telling[]): Step {
  const { contact, troubles, timing, now } = scene
  const endOf = ({ troubleUuid }: Telling) => troubles.get(troubleUuid)?.endedAt ?? null
  const ended = thread.filter((telling) => endOf(telling) !== null)
  const openUuids = thread.flatMap((one) => (endOf(one) === null ? one.troubleUuid : []))
  const [first] = ended
  if (first === undefined) return nothing()
  const ends = ended.flatMap((telling) => endOf(telling)?.getTime() ?? [])
  const readyAt = new Date(Math.min(...ends) + timing.togetherMs)
  if (openUuids.length > 0 && now < readyAt) return wait(readyAt)

  const tellings = ended.map((telling) => ({ ...telling, endToldAt: now }))
  if (!contact.rules.states.includes('RECOVERED')) return { ...nothing(), tellings }
  const message: AlertMessage = {
    contactUuid: contact.uuid,
    kind: openUuids.length === 0 ? 'RECOVERED' : 'PARTLY_RECOVERED',
    thread: first.thread,
    troubleUuids: ended.map(({ troubleUuid }) => troubleUuid),
    openUuids,
  }
  return { messages: [message], tellings, waits: [] }
}

function remind({ contact, troubles, now }: Scene, thread: readonly Telling[]): Step {
  const open = thread.filter(({ troubleUuid }) => isReminded(troubles.get(troubleUuid)))
  const [first] = open
  const lastMs = Math.max(...open.map(({ remindedAt, toldAt }) => (remindedAt ?? toldAt).getTime()))
  const dueAt = first && reminderDueAt(contact.rules, new Date(lastMs))
  if (first === undefined || dueAt === undefined) return nothing()
  if (now < dueAt) return wait(dueAt)
  const loud = open.filter(({ troubleUuid }) => !troubles.get(troubleUuid)?.isSilent)
  if (loud.length === 0) return wait(after(now, LOOK_AGAIN_MS))
  const troubleUuids = loud.map(({ troubleUuid }) => troubleUuid)
  const base = { contactUuid: contact.uuid, kind: 'REMINDER' as const, thread: first.thread }
  const nextAt = reminderDueAt(contact.rules, now)
  return {
    messages: [{ ...base, troubleUuids, openUuids: troubleUuids }],
    tellings: loud.map((telling) => ({ ...telling, remindedAt: now })),
    waits: nextAt === undefined ? [] : [nextAt],
  }
}

const isReminded = (trouble: Trouble | undefined) =>
  trouble?.kind === 'DOWN' && trouble.endedAt === null && trouble.acknowledgedAt === null

function reminderDueAt({ reminderMinutes }: AlertRules, last: Date): Date | undefined {
  return reminderMinutes === null ? undefined : after(last, reminderMinutes * MINUTE_MS)
}

function isDone(
  trouble: Trouble,
  contacts: ReadonlyMap<string, Contact>,
  own: readonly Telling[],
): boolean {
  const isOnce = TOLD_ONCE.has(trouble.kind)
  if (!isOnce && trouble.endedAt === null) return false
  const isHeard = (uuid: string) => contacts.get(uuid)?.enabled === true
  if (own.some(({ contactUuid, endToldAt }) => endToldAt === null && isHeard(contactUuid)))
    return false
  if (trouble.endedAt !== null) return true
  const told = new Set(own.map(({ contactUuid }) => contactUuid))
  return trouble.contactUuids.every(
    (uuid) =>
      told.has(uuid) || !isHeard(uuid) || !contacts.get(uuid)?.rules.states.includes(trouble.kind),
  )
}

const after = (at: Date, ms: number) => new Date(at.getTime() + ms)
const keyOf = ({ troubleUuid, contactUuid }: Telling) => `${troubleUuid} ${contactUuid}`
const nothing = (): Step => ({ messages: [], tellings: [], waits: [] })

function add(step: Step, { messages, tellings, waits }: Step): void {
  step.messages.push(...messages)
  step.tellings.push(...tellings)
  step.waits.push(...waits)
}

function join(steps: readonly Step[]): Step {
  const all = nothing()
  for (const step of steps) add(all, step)
  return all
}
