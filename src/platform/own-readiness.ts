// Asks the internal port of a process on this machine whether it is ready.
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { json } from 'node:stream/consumers'
import { request as openRequest } from './node-http.ts'

export type Readiness = { ready: boolean; reasons: string[] }

const ANSWER_MS = 5_000
const WILDCARDS: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

/** `host` and `port` are those that the process listens on. */
export async function askReadiness(host: string, port: number): Promise<Readiness> {
  const to = { host: WILDCARDS[host] ?? host, port, path: '/readyz', agent: false }
  try {
    const request = openRequest({ ...to, signal: AbortSignal.timeout(ANSWER_MS) })
    const [response] = (await once(request.end(), 'response')) as [IncomingMessage]
    // A later error of the request also ends the body.
    request.on('error', () => {})
    const { reasons = [] } = (await json(response)) as { reasons?: string[] }
    return { ready: response.statusCode === 200, reasons }
  } catch {
    return { ready: false, reasons: [`nothing answers at port ${port} of ${to.host}`] }
  }
}
