// The monitored side: servers that respond as scripted and record every request.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { listen } from '../../kit/targets/listen.ts'

/** CUT closes the connection instead of responding. */
export type Health = 'OK' | 'ERROR' | 'CUT'
type Visit = { key: string; atMs: number; status: number; from: string }
type Script = (key: string, nowMs: number) => Health

const STATUS = { OK: 200, ERROR: 500, CUT: 0 } as const

export class Targets {
  readonly visits: Visit[] = []
  readonly ports: number[] = []
  readonly #close: (() => Promise<void>)[] = []
  readonly #host: string
  script: Script = () => 'OK'
  /** How long they take to respond. */
  delayMs = 0

  constructor(host: string) {
    this.#host = host
  }

  async open(servers: number): Promise<void> {
    for (let i = 0; i < servers; i++) {
      const server = createServer((request, response) => this.#answer(request, response))
      const { port, close } = await listen(server, this.#host)
      this.ports.push(port)
      this.#close.push(close)
    }
  }

  /** Each key has its own path, on one of the servers. */
  urlOf(key: string): string {
    const port = this.ports[Number.parseInt(key, 36) % this.ports.length]
    return `http://${this.#host}:${port}/${key}`
  }

  async close(): Promise<void> {
    await Promise.all(this.#close.map((close) => close()))
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const atMs = Date.now()
    const key = (request.url ?? '').slice(1)
    const health = this.script(key, atMs)
    const from = request.socket.remoteAddress ?? ''
    this.visits.push({ key, atMs, status: STATUS[health], from })
    if (health === 'CUT') return void request.socket.destroy()
    const respond = () => response.writeHead(STATUS[health], { 'Content-Length': 0 }).end()
    if (this.delayMs === 0) respond()
    else setTimeout(respond, this.delayMs)
  }
}

export async function openTargets(servers: number, host = '127.0.0.1'): Promise<Targets> {
  const targets = new Targets(host)
  await targets.open(servers)
  return targets
}
