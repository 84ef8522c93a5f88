// The names of all subjects. Permissions of NATS users refer to them.

const TOKEN = /^[A-Za-z0-9_-]{1,64}$/
const NAME = /^[A-Za-z0-9_-]{1,64}(\.[A-Za-z0-9_-]{1,64}){0,4}$/

export const PROBES_QUEUE = 'probes'
export const OWNERS_QUEUE = 'owners'

export function jobsSubject(region: string): string {
  return `upvane.jobs.${checked(TOKEN, region)}`
}

export function announcementSubject(region: string, probe: string): string {
  return `upvane.probes.${checked(TOKEN, region)}.${checked(TOKEN, probe)}`
}

export const ALL_ANNOUNCEMENTS = 'upvane.probes.*.*'

export function requestsSubject(name: string): string {
  return `upvane.requests.${checked(NAME, name)}`
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
