// A receiver of webhooks that remembers only which events it was sent.
import { createServer } from 'node:http'
import { toUuid } from '../kit/ids.ts'
import { listen } from '../kit/targets/listen.ts'

export type Receiver = {
  url: string
  /** Events, by UUID. */
  received: ReadonlySet<string>
  requests(): number
  close(): Promise<void>
}

export async function openReceiver(): Promise<Receiver> {
  const received = new Set<string>()
  let requests = 0
  const server = createServer((request, response) => {
    request.resume()
    request.once('end', () => {
      requests += 1
      received.add(toUuid(String(request.headers['webhook-id'])))
      response.writeHead(204).end()
    })
  })
  const { port, close } = await listen(server)
  return { url: `http://127.0.0.1:${port}/`, received, requests: () => requests, close }
}
