// Formats and parses messages. Probes run elsewhere, so everything they send is validated.
import type { Job, ProbeAnnouncement, ProbeLocation, ProbeResult } from './bus.ts'
import { isToken } from './subjects.ts'

const MAX_TYPES = 32
const MAX_SETTINGS = 32
const MAX_VERSION = 64
const MAX_NETWORKS = 16
const MAX_ALLOWED = 64
// Room for an IPv6 network.
const MAX_CIDR = 50
// Longer than any check may wait or run: an absurd duration must not become a timestamp.
const MAX_DURATION_MS = 3_600_000

/** A probe, and the key that proves its name. Probes before 0.2 have none. */
export type Responder = { probe: string; key?: string }

type ProbeReply = { from: Responder } & (
  | { answer: 'accepted' | 'busy' }
  | { results: ProbeResult[] }
)

export function acceptanceText({ probe, key }: Responder, answer: 'accepted' | 'busy'): string {
  return JSON.stringify({ probe, key, answer })
}

export function resultsText({ probe, key }: Responder, resultList: string): string {
  const from = JSON.stringify({ probe, key })
  return `${from.slice(0, -1)},"results":${resultList}}`
}

/** Undefined if it is not a reply. Results that are about no job are left out. */
export function readReply(text: string): ProbeReply | undefined {
  const reply = readObject(text)
  if (reply === undefined) return undefined
  const { probe, key, answer, results } = reply
  if (!isToken(probe)) return undefined
  const from = isToken(key) ? { probe, key } : { probe }
  if (answer === 'accepted' || answer === 'busy') return { from, answer }
  return Array.isArray(results) ? { from, results: results.flatMap(readResult) } : undefined
}

export function readJobs(text: string): Job[] | undefined {
  const jobs = readJson(text)
  return Array.isArray(jobs) && jobs.every(isJob) ? jobs : undefined
}

export function announcementText(announcement: ProbeAnnouncement): string {
  const { region: _, probe: _probe, ...said } = announcement
  return JSON.stringify(said)
}

/** The sender is read from the subject, which the server protects, not from the text. */
export function readAnnouncement(subject: string, text: string): ProbeAnnouncement | undefined {
  const location = readProbeLocation(subject)
  const said = readObject(text)
  if (location === undefined || said === undefined) return undefined
  const { capacity, inFlight, can, settings } = said
  if (!isCount(capacity) || !isCount(inFlight) || !isTypeList(can)) return undefined
  const { version, lateMs, answerKey, isDirect } = said
  return {
    ...location,
    capacity,
    inFlight,
    can,
    ...(areSettings(settings) && { settings }),
    ...(isVersion(version) && { version }),
    ...(isDuration(lateMs) && { lateMs: Math.round(lateMs) }),
    ...readNetworks(said),
    ...(isToken(answerKey) && { answerKey }),
    ...(isDirect === true && { isDirect }),
  }
}

/** Where it is, and what it may reach. */
function readNetworks({ networks, allows }: Record<string, unknown>) {
  return {
    ...(areNetworks(networks) && { networks }),
    ...(areAllowed(allows) && { allows }),
  }
}

function readProbeLocation(subject: string): ProbeLocation | undefined {
  const [region, probe] = subject.split('.').slice(-2)
  return isToken(region) && isToken(probe) ? { region, probe } : undefined
}

export function readObject(text: string): Record<string, unknown> | undefined {
  const value = readJson(text)
  return isObject(value) ? value : undefined
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Text that is not JSON counts as empty: the caller reports it.
    return undefined
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Nonsense about a job is an answer to it, so that nobody waits for another. */
function readResult(value: unknown): ProbeResult[] {
  if (!isObject(value)) return []
  const { id, acceptedToStartMs, startedToEndMs, attempt } = value
  if (typeof id !== 'string') return []
  if (!isDuration(acceptedToStartMs) || !isDuration(startedToEndMs)) return [unreadable(id)]
  return [{ id, acceptedToStartMs, startedToEndMs, attempt }]
}

export function unreadable(id: string): ProbeResult {
  return { id, acceptedToStartMs: 0, startedToEndMs: 0, attempt: null }
}

function isJob(value: unknown): value is Job {
  return (
    isObject(value) &&
    typeof value['id'] === 'string' &&
    typeof value['orgId'] === 'string' &&
    isDuration(value['budgetMs']) &&
    isCount(value['attempt'])
  )
}

/** In milliseconds, and not absurd. */
export function isDuration(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= MAX_DURATION_MS
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0
}

function isVersion(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_VERSION
}

function isTypeList(value: unknown): value is string[] {
  return Array.isArray(value) && value.length <= MAX_TYPES && value.every(isToken)
}

function areNetworks(value: unknown): value is string[] {
  return Array.isArray(value) && value.length <= MAX_NETWORKS && value.every(isToken)
}

function areAllowed(value: unknown): value is string[] {
  const isCidr = (one: unknown) => typeof one === 'string' && one.length <= MAX_CIDR
  return Array.isArray(value) && value.length <= MAX_ALLOWED && value.every(isCidr)
}

function areSettings(value: unknown): value is Record<string, string> {
  if (!isObject(value)) return false
  const entries = Object.entries(value)
  return (
    entries.length <= MAX_SETTINGS &&
    entries.every(([name, print]) => isToken(name) && isToken(print))
  )
}
