// A server in the place of every provider. It holds each request against the form its provider documents, answers
// as that provider does, and keeps what it was sent.
import { createServer, type IncomingMessage } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { listen } from '../targets/listen.ts'
import { discord, googleChat, slack, teams, telegram } from './chats.ts'
import type { Form, ProviderResponse, ReceivedRequest } from './form.ts'
import { ntfy, opsgenie, ownReceiver, pagerDuty, pushover } from './pagers.ts'

const CHATS = [slack, discord, teams, googleChat, telegram]
const PAGERS = [pagerDuty, opsgenie, ntfy, pushover]
const REFUSED: ProviderResponse = { status: 400, body: 'not as documented' }

export type StandIn = {
  origin: string
  heard: ReceivedRequest[]
  /** What any of them did not allow. */
  complaints: string[]
  /** How one path is answered, whoever is there. */
  answers: Map<string, ProviderResponse>
  /** What own receivers were given to verify by, by path. */
  secrets: Map<string, string>
  at(path: string): ReceivedRequest[]
  /** How long it takes to answer. */
  delayMs: number
  close(): Promise<void>
}

/** Accounts with `busy`, `broken` or `revoked` in their names are. */
export async function startStandIn(): Promise<StandIn> {
  const heard: ReceivedRequest[] = []
  const complaints: string[] = []
  const answers: StandIn['answers'] = new Map()
  const secrets: StandIn['secrets'] = new Map()
  const own = ownReceiver((path) => secrets.get(path))
  const forms = [...CHATS, ...PAGERS, own]
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
    const { status, body, headers = {} } = answers.get(one.path) ?? usual
    if (standIn.delayMs > 0) await delay(standIn.delayMs)
    response.writeHead(status, headers).end(body)
  })
  const { port, close } = await listen(server)
  const origin = `http://127.0.0.1:${port}`
  const at = (path: string) => heard.filter((one) => one.path === path)
  return Object.assign(standIn, { origin, heard, complaints, answers, secrets, at, close })
}

function toReceivedRequest(
  { method = '', url: path = '', headers }: IncomingMessage,
  raw: string,
): ReceivedRequest {
  const all = Object.entries(headers).map(([name, value]) => [name, String(value)])
  const body = JSON.parse(raw) as ReceivedRequest['body']
  return { method, path, headers: Object.fromEntries(all), raw, body }
}

function responseOf(
  form: Form,
  heard: ReceivedRequest,
  wrong: readonly string[],
): ProviderResponse {
  if (wrong.length > 0) return form.refused?.(wrong) ?? REFUSED
  const found = /busy|broken|revoked/.exec(form.account(heard))?.[0]
  // Safe because these are the names of its answers.
  return form[(found ?? 'accepted') as 'accepted' | 'busy' | 'broken' | 'revoked']
}
