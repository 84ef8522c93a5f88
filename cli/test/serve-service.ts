// A service for tests of the real command: the SDK's fake, and answers of the extension API that a test chooses.
import { createServer, type IncomingMessage } from 'node:http'
import type { FakeUpvane } from '@upvane/sdk/testing'
import { serveFake } from '../../sdk/test/serve-fake.ts'
import { listen } from '../../test/kit/targets/listen.ts'

const EXTENSION = '/api/ext/v1'

/** By method and path below /api/ext/v1, such as `GET /overview`. A function is called for each request. */
export type ExtensionAnswers = Record<string, unknown>

export type TestService = {
  fake: FakeUpvane
  url: string
  /** For the environment of the command. */
  env: { UPVANE_URL: string; UPVANE_API_KEY: string }
  answers: ExtensionAnswers
  close(): Promise<void>
}

export async function serveService(answers: ExtensionAnswers = {}): Promise<TestService> {
  const served = await serveFake()
  const server = createServer(async (request, response) => {
    const body = await readBody(request)
    const path = (request.url ?? '').split('?', 1)[0] ?? ''
    const answer = answers[`${request.method} ${path.slice(EXTENSION.length)}`]
    if (path.startsWith(EXTENSION) && answer !== undefined) {
      const given: unknown = typeof answer === 'function' ? answer(body) : answer
      response.writeHead(200, { 'Content-Type': 'application/json' })
      return void response.end(JSON.stringify(given))
    }
    const passed = await fetch(served.baseUrl + String(request.url), {
      method: request.method ?? 'GET',
      headers: headersOf(request),
      ...(body !== '' && { body }),
    })
    response.writeHead(passed.status, { 'Content-Type': 'application/json' })
    return void response.end(await passed.text())
  })
  const { port, close } = await listen(server)
  const url = `http://127.0.0.1:${port}`
  let closing: Promise<void> | undefined
  return {
    fake: served.fake,
    url,
    env: { UPVANE_URL: url, UPVANE_API_KEY: served.fake.apiKey },
    answers,
    async close() {
      closing ??= close().then(() => served.close())
      await closing
    },
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks = await Array.fromAsync(request as AsyncIterable<Buffer>)
  return Buffer.concat(chunks).toString()
}

const PASSED_ON = ['authorization', 'content-type', 'idempotency-key']

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  const entries = PASSED_ON.flatMap((name) => {
    const value = headers[name]
    return typeof value === 'string' ? [[name, value] as const] : []
  })
  return Object.fromEntries(entries)
}
