// The fake of @upvane/sdk/testing on a port, for programs in other processes.
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type FakeUpvane, fakeUpvane } from '../src/testing.ts'

type ServedFake = { fake: FakeUpvane; baseUrl: string; close(): void }

export async function serveFake(): Promise<ServedFake> {
  const fake = fakeUpvane()
  const server = createServer(async (request, response) => {
    try {
      const answer = await fake.fetch(fake.baseUrl + String(request.url), await toInit(request))
      response.writeHead(answer.status, Object.fromEntries(answer.headers))
      response.end(await answer.text())
    } catch {
      // The fake cut the connection, as a test told it to.
      response.destroy()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { fake, baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close }
}

async function toInit(request: IncomingMessage): Promise<RequestInit> {
  const body = Buffer.concat(await Array.fromAsync(request)).toString()
  const given = Object.entries(request.headers).map(([name, value]): [string, string] => [
    name,
    String(value),
  ])
  const init = { method: request.method ?? 'GET', headers: new Headers(given) }
  return body === '' ? init : { ...init, body }
}
