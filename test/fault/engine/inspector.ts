// Inspects a running process: what it still holds after garbage collection.
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** `bytes` is the heap plus external memory such as buffers. */
export type Held = { bytes: number; timers: number; descriptors: number }

type Reply = { id?: number; result?: { result?: { value?: string } }; error?: { message: string } }
type Waiting = { resolve(reply: Reply): void; reject(error: Error): void }

const COLLECTIONS = 3
// Finalizers and closing sockets need event loop iterations between two collections.
const BETWEEN_MS = 60
const INSPECTION = `(() => {
  const { heapUsed, external } = process.memoryUsage()
  const timers = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  return JSON.stringify({ bytes: heapUsed + external, timers })
})()`

export class Inspector {
  readonly #socket: WebSocket
  readonly #pid: number
  readonly #waiting = new Map<number, Waiting>()
  #requests = 0

  constructor(socket: WebSocket, pid: number) {
    this.#socket = socket
    this.#pid = pid
    socket.addEventListener('message', ({ data }) =>
      this.#receive(JSON.parse(String(data)) as Reply),
    )
    socket.addEventListener('close', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error(`${pid} is gone`))
    })
  }

  async held(): Promise<Held> {
    for (let i = 0; i < COLLECTIONS; i++) {
      await this.#request('HeapProfiler.collectGarbage')
      await sleep(BETWEEN_MS)
    }
    const { result } = await this.#request('Runtime.evaluate', { expression: INSPECTION })
    const seen = JSON.parse(result?.result?.value ?? '') as Omit<Held, 'descriptors'>
    return { ...seen, descriptors: readdirSync(`/proc/${this.#pid}/fd`).length }
  }

  close(): void {
    this.#socket.close()
  }

  #request(method: string, params = {}): Promise<Reply> {
    this.#requests += 1
    const id = this.#requests
    this.#socket.send(JSON.stringify({ id, method, params }))
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }))
  }

  #receive({ id, ...reply }: Reply): void {
    const waiting = this.#waiting.get(id ?? 0)
    this.#waiting.delete(id ?? 0)
    if (reply.error === undefined) waiting?.resolve(reply)
    else waiting?.reject(new Error(reply.error.message))
  }
}

/** Environment that makes a process inspectable at this port. */
export function inspectable(port: number): Record<string, string> {
  return { NODE_OPTIONS: `--inspect=127.0.0.1:${port}` }
}

export async function inspect(pid: number, port: number): Promise<Inspector> {
  const answer = await fetch(`http://127.0.0.1:${port}/json/list`)
  const [place] = (await answer.json()) as { webSocketDebuggerUrl: string }[]
  if (place === undefined) throw new Error(`Nothing to inspect at port ${port}`)
  const socket = new WebSocket(place.webSocketDebuggerUrl)
  await once(socket, 'open')
  return new Inspector(socket, pid)
}
