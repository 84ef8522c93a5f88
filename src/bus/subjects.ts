// The names of all subjects. Permissions of NATS users refer to them.

const TOKEN = /^[A-Za-z0-9_-]{1,64}$/
const NAME = /^[A-Za-z0-9_-]{1,64}(\.[A-Za-z0-9_-]{1,64}){0,4}$/

export const PROBES_QUEUE = 'probes'
export const OWNERS_QUEUE = 'owners'

export function jobsSubject(region: string): string {
  return `upvane.jobs.${checked(TOKEN, region)}`
}

/** Jobs for one probe alone: within its inbox, to which the server lets nobody else listen. */
export function directJobsSubject({ region, probe }: { region: string; probe: string }): string {
  return `upvane.inbox.${checked(TOKEN, probe)}.jobs.${checked(TOKEN, region)}`
}

export function announcementSubject(region: string, probe: string): string {
  return `upvane.probes.${checked(TOKEN, region)}.${checked(TOKEN, probe)}`
}

export const ALL_ANNOUNCEMENTS = 'upvane.probes.*.*'

export function requestsSubject(name: string): string {
  return `upvane.requests.${checked(NAME, name)}`
}

/** Of everyone who may ask: the server permits each only their own last part. */
export function sendersSubject(name: string): string {
  return `${requestsSubject(name)}.*`
}

export function senderOf(subject: string, name: string): string {
  return subject.slice(requestsSubject(name).length + 1)
}

/** Anything else is not where a response belongs: its sender would use our permission to publish there. */
export function isInbox(subject: string): boolean {
  return subject.startsWith('upvane.inbox.')
}

export function hintsSubject(name: string): string {
  return `upvane.hints.${checked(NAME, name)}`
}

export function inboxSubject(owner: string, id: string): string {
  return `upvane.inbox.${checked(TOKEN, owner)}.${checked(TOKEN, id)}`
}

export function isToken(text: unknown): text is string {
  return typeof text === 'string' && TOKEN.test(text)
}

// A dot or an asterisk within a name would change which subjects it matches.
function checked(pattern: RegExp, name: string): string {
  if (!pattern.test(name)) throw new Error(`Not a name for the bus: ${JSON.stringify(name)}`)
  return name
}
