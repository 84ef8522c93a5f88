// Subscribers of a status page that are reached by a URL: a channel in Slack, or a webhook. Anyone can type any URL, so
// nothing but one request to confirm goes there before it is confirmed.
import { type HookKind } from '../status-pages/subscriber.ts'
import { type AddressPolicy, endpointUrlProblem } from './webhook.ts'

const MAX_LENGTH = 500
const SLACK = /^https:\/\/hooks\.slack\.com\/services\/\w{1,40}\/\w{1,40}\/\w{1,80}$/

/** Undefined if it cannot be used. */
export function parseHookUrl(
  kind: HookKind,
  text: string,
  policy: AddressPolicy,
): string | undefined {
  const typed = text.trim()
  if (typed.length > MAX_LENGTH) return undefined
  if (kind === 'SLACK') return SLACK.test(typed) ? typed : undefined
  return endpointUrlProblem(typed, policy) === undefined ? new URL(typed).href : undefined
}

const LAST_SHOWN = 4

/** The URL is all it takes to post there, so members see only where it leads. */
export function shownHook(url: string): string {
  const { origin, pathname, search } = new URL(url)
  const rest = pathname + search
  return rest.length <= LAST_SHOWN + 1 ? `${origin}/` : `${origin}/…${rest.slice(-LAST_SHOWN)}`
}

type HookLimit = { subject: string; perHour: number; perDay: number }

/**
 * How many requests to confirm one target gets, across all pages of all organizations: by URL, by host, and by the
 * domain above it, which may have any number of hosts. All of Slack is one host, so there the workspace counts.
 */
export function hookLimits(kind: HookKind, url: string): HookLimit[] {
  const { hostname, pathname } = new URL(url)
  const own = { subject: url, perHour: 3, perDay: 10 }
  if (kind === 'SLACK') {
    const workspace = pathname.split('/')[2] ?? ''
    return [own, { subject: `slack ${workspace}`, perHour: 10, perDay: 40 }]
  }
  const domain = hostname.replace(/\.$/, '').split('.').slice(-2).join('.')
  return [
    own,
    { subject: `host ${hostname}`, perHour: 10, perDay: 60 },
    { subject: `domain ${domain}`, perHour: 30, perDay: 200 },
  ]
}
