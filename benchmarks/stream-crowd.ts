// Simulates many stream clients in one process.
import { connect, type Socket } from 'node:net'

export type Followed = { id: string; uuid: string; cookie: string }

/** Clients on bare sockets that parse only what they wait for. */
export class Crowd {
  readonly #url: URL
  readonly #sockets: Socket[] = []
  readonly #createdMs = new Map<number, number>()
  lagsMs: number[] = []
  messages = 0
  open = 0

  constructor(url: URL) {
    this.#url = url
  }

  async follow(organizations: readonly Followed[], count: number): Promise<void> {
    for (let index = 0; index < count; index += 1) {
      const organization = organizations[index % organizations.length]
      if (organization !== undefined)
        await this.#connect(organization, index < organizations.length)
    }
  }

  expect(number: number): void {
    this.#createdMs.set(number, performance.now())
  }

  reset(): void {
    this.lagsMs = []
    this.messages = 0
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  async #connect({ id, cookie }: Followed, isWatched: boolean): Promise<void> {
    const { hostname, port } = this.#url
    const socket = connect(Number(port), hostname)
    this.#sockets.push(socket)
    const begun = Promise.withResolvers<void>()
    socket.on('error', begun.reject)
    socket.on('close', () => {
      this.open -= 1
    })
    socket.on('data', (chunk) => {
      if (chunk.includes('event: ready')) begun.resolve()
      if (!chunk.includes('event: changes')) return
      this.messages += 1
      if (isWatched) this.#read(chunk.toString())
    })
    socket.write(
      `GET /app/api/organizations/${id}/stream HTTP/1.1\r\nHost: ${hostname}\r\nCookie: ${cookie}\r\n\r\n`,
    )
    await begun.promise
    this.open += 1
  }

  #read(text: string): void {
    for (const [, number] of text.matchAll(/"responseMs":(\d+)/g)) {
      const madeMs = this.#createdMs.get(Number(number))
      if (madeMs !== undefined) this.lagsMs.push(performance.now() - madeMs)
    }
  }
}
