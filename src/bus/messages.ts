// Formats and parses messages. Probes run elsewhere, so everything they send is validated.
import type { Job, ProbeAnnouncement, ProbeLocation, ProbeResult } from './bus.ts'
import { isToken } from './subjects.ts'

const MAX_TYPES = 32
const MAX_SETTINGS = 32
const MAX_VERSION = 64
// Longer than any check may wait or run: an absurd duration must not become a timestamp.
const MAX_DURATION_MS = 3_600_000

type ProbeReply =
  | { probe: string; answer: 'accepted' | 'busy' }
  | { probe: string; results: ProbeResult[] }

export function acceptanceText(probe: string, answer: 'accepted' | 'busy'): string {
  return JSON.stringify({ probe, answer })
}

export function resultsText(probe: string, resultList: string): string {
  return `{"probe":${JSON.stringify(probe)},"results":${resultList}}`
}

/** Undefined if it is not a reply. Invalid results are left out. */
export function readReply(text: string): ProbeReply | undefined {
  const reply = readObject(text)
  const probe = reply?.['probe']
  if (reply === undefined || !isToken(probe)) return undefined
  const { answer, results } = reply
  if (answer === 'accepted' || answer === 'busy') return { probe, answer }
  return Array.isArray(results) ? { probe, results: results.filter(isResult) } : undefined
}

export function readJobs(text: string): Job[] | undefined {
  const jobs = readJson(text)
  return Array.isArray(jobs) && jobs.every(isJob) ? jobs : undefined
}

export function announcementText(announcement: ProbeAnnouncement): string {
  const { capacity, inFlight, can, settings, version, lateMs } = announcement
  return JSON.stringify({ capacity, inFlight, can, settings, version, lateMs })
}

/** The sender is read from the subject, which the server protects, not from the text. */
export function readAnnouncement(subject: string, text: string): ProbeAnnouncement | undefined {
  const location = readProbeLocation(subject)
  const said = readObject(text)
  if (location === undefined || said === undefined) return undefined
  const { capacity, inFlight, can, settings } = said
  if (!isCount(capacity) || !isCount(inFlight) || !isTypeList(can)) return undefined
  const { version, lateMs } = said
  return {
    ...location,
    capacity,
    inFlight,
    can,
    ...(areSettings(settings) && { settings }),
    ...(isVersion(version) && { version }),
    ...(isDuration(lateMs) && { lateMs: Math.round(lateMs) }),
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

function isResult(value: unknown): value is ProbeResult {
  return (
    isObject(value) &&
    typeof value['id'] === 'string' &&
    isDuration(value['acceptedToStartMs']) &&
    isDuration(value['startedToEndMs'])
  )
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

function areSettings(value: unknown): value is Record<string, string> {
  if (!isObject(value)) return false
  const entries = Object.entries(value)
  return (
    entries.length <= MAX_SETTINGS &&
    entries.every(([name, print]) => isToken(name) && isToken(print))
  )
}
