// A stand-in server for every provider. It validates each request against its provider's documentation, responds as
// that provider does, and records what it receives.
import { createServer, type IncomingMessage } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { listen } from '../targets/listen.ts'
import { alertmanager, githubIssues, gitlabIssues, incidentIo, jira } from './alarms.ts'
import { discord, googleChat, slack, teams, telegram } from './chats.ts'
import { type Form, type ProviderResponse, parseBody, type ReceivedRequest } from './form.ts'
import { matrix, mattermost, rocketChat, signal } from './open-chats.ts'
import { ntfy, opsgenie, ownReceiver, pagerDuty, pushover } from './pagers.ts'
import { apprise, customReceiver, gotify, twilio } from './push-services.ts'

const CHATS = [slack, discord, teams, googleChat, telegram]
const OPEN_CHATS = [mattermost, rocketChat, matrix, signal]
const PAGERS = [pagerDuty, opsgenie, ntfy, pushover]
const ALARMS = [jira, incidentIo, alertmanager, githubIssues, gitlabIssues]
const PUSH_SERVICES = [gotify, twilio, apprise, customReceiver]
const REFUSED: ProviderResponse = { status: 400, body: 'not as documented' }

export type StandIn = {
  origin: string
  heard: ReceivedRequest[]
  /** Violations of any provider's documentation. */
  complaints: string[]
  /** Responses by path, which override the provider's. A path that ends with * stands for all that begin with it. */
  answers: Map<string, ProviderResponse>
  /** The secrets of custom receivers, by path. */
  secrets: Map<string, string>
  /** A path that ends with * stands for all that begin with it. */
  at(path: string): ReceivedRequest[]
  /** Delay of each response. */
  delayMs: number
  close(): Promise<void>
}

/** Accounts with `busy`, `broken` or `revoked` in their names respond that way. */
export async function startStandIn(): Promise<StandIn> {
  const heard: ReceivedRequest[] = []
  const complaints: string[] = []
  const answers: StandIn['answers'] = new Map()
  const secrets: StandIn['secrets'] = new Map()
  const own = ownReceiver((path) => secrets.get(path))
  const forms = [...CHATS, ...OPEN_CHATS, ...PAGERS, ...ALARMS, ...PUSH_SERVICES, own]
  const standIn = { delayMs: 0 }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const one = toReceivedRequest(request, Buffer.concat(chunks).toString())
    heard.push(one)
    const form = forms.find(({ isAt }) => isAt(one.path))
    const wrong = form?.check(one) ?? [`nobody is at ${one.path}`]
    complaints.push(...wrong.map((what) => `${form?.channel}: ${what}`))
    const usual = form === undefined ? REFUSED : responseOf(form, one, wrong)
    const wanted = [...answers].find(([path]) => isAt(one.path, path))?.[1]
    const { status, body, headers = {} } = wanted ?? usual
    if (standIn.delayMs > 0) await delay(standIn.delayMs)
    response.writeHead(status, headers).end(body)
  })
  const { port, close } = await listen(server)
  const origin = `http://127.0.0.1:${port}`
  const at = (path: string) => heard.filter((one) => isAt(one.path, path))
  return Object.assign(standIn, { origin, heard, complaints, answers, secrets, at, close })
}

function toReceivedRequest(
  { method = '', url: path = '', headers }: IncomingMessage,
  raw: string,
): ReceivedRequest {
  const all = Object.entries(headers).map(([name, value]) => [name, String(value)])
  const body = parseBody(raw, headers['content-type'])
  return { method, path, headers: Object.fromEntries(all), raw, body }
}

const isAt = (path: string, wanted: string): boolean =>
  wanted.endsWith('*') ? path.startsWith(wanted.slice(0, -1)) : path === wanted

function responseOf(
  form: Form,
  heard: ReceivedRequest,
  wrong: readonly string[],
): ProviderResponse {
  if (wrong.length > 0) return form.refused?.(wrong) ?? REFUSED
  const found = /busy|broken|revoked/.exec(form.account(heard))?.[0]
  if (found === undefined) return form.accepts?.(heard) ?? form.accepted
  // Safe because these are the names of its responses.
  return form[found as 'busy' | 'broken' | 'revoked']
}
