// Receivers of Slack messages and webhooks, each at a path of its own that says how it behaves.
import { createServer, type ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { listen } from '../../kit/targets/listen.ts'

export type Heard = {
  path: string
  raw: string
  headers: Record<string, string>
  json: Record<string, unknown>
}

type HookReceiver = {
  origin: string
  heard: Heard[]
  at(path: string): Heard[]
  /** Statuses by path, instead of what the path says. */
  statuses: Map<string, number>
  close(): Promise<void>
}

const HUGE = Buffer.alloc(64 * 1024, 'x')
const HUGE_PIECES = 2_000

/** `/echo…` echoes the challenge, `/json…` as JSON, `/all…` the whole request; others are named after what they do. */
export async function startHookReceiver(): Promise<HookReceiver> {
  const heard: Heard[] = []
  const statuses: HookReceiver['statuses'] = new Map()
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const raw = Buffer.concat(chunks).toString()
    const { url: path = '' } = request
    const headers = request.headers as Record<string, string>
    const one = { path, raw, headers, json: JSON.parse(raw) as Record<string, unknown> }
    heard.push(one)
    const status = statuses.get(path)
    if (status === undefined) await answer(one, response).catch(() => response.destroy())
    else response.writeHead(status).end()
  })
  const { port, close } = await listen(server)
  const at = (path: string) => heard.filter((one) => one.path === path)
  return { origin: `http://127.0.0.1:${port}`, heard, at, statuses, close }
}

type Behavior = (heard: Heard, challenge: string, response: ServerResponse) => unknown

const BEHAVIORS: readonly [start: string, act: Behavior][] = [
  ['/services/', (_, _challenge, response) => response.end('ok')],
  ['/echo', (_, challenge, response) => response.end(`${challenge}\n`)],
  ['/json', (_, challenge, response) => response.end(JSON.stringify({ challenge }))],
  ['/all', ({ raw }, _challenge, response) => response.end(raw)],
  ['/wrong', (_, _challenge, response) => response.end('x'.repeat(43))],
  ['/redirect', (_, _challenge, response) => response.writeHead(307, { location: '/echo' }).end()],
  ['/refused', (_, challenge, response) => response.writeHead(500).end(challenge)],
  [
    '/slow',
    async (_, challenge, response) => {
      await delay(30_000, undefined, { ref: false })
      response.end(challenge)
    },
  ],
  ['/huge', (_, challenge, response) => answerHuge(challenge, response)],
]

async function answer(heard: Heard, response: ServerResponse): Promise<void> {
  const [, act] = BEHAVIORS.find(([start]) => heard.path.startsWith(start)) ?? []
  await act?.(heard, String(heard.json['challenge'] ?? ''), response)
}

async function answerHuge(challenge: string, response: ServerResponse): Promise<void> {
  for (let i = 0; i < HUGE_PIECES && !response.destroyed; i++)
    if (!response.write(HUGE)) await Promise.race([drained(response), closed(response)])
  response.end(challenge)
}

const drained = (response: ServerResponse) =>
  new Promise<void>((resolve) => response.once('drain', resolve))
const closed = (response: ServerResponse) =>
  new Promise<void>((resolve) => response.once('close', resolve))
