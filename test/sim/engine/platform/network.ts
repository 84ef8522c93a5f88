// The network of the simulated processes: names and hosts as each of them sees them. The product resolves, dials and
// speaks HTTP with its own code; only Node's sockets and resolver are replaced while a simulation runs.
import { createRequire, syncBuiltinESMExports } from 'node:module'
import { isIP } from 'node:net'
import { Duplex } from 'node:stream'
import { currentOwner, type Owner, reach, runAsWorld } from './virtual-time.ts'

export type SimRequest = {
  method: string
  path: string
  headers: Map<string, string>
  body: string
}
export type SimReply = { status: number; body: string; afterMs: number } | 'CLOSE' | 'SILENT'

/** How a host appears to one process at one moment. */
export type View = {
  reach: 'OPEN' | 'REFUSED' | 'SILENT' | 'NO_ROUTE'
  connectMs: number
  serve(request: SimRequest): SimReply
}

type NetworkHooks = {
  /** Undefined: the name does not exist. `SILENT`: no answer. */
  resolve(owner: Owner | undefined, name: string): string | undefined | 'SILENT'
  view(owner: Owner | undefined, address: string, port: number): View
}

const require = createRequire(import.meta.url)
const net = require('node:net') as Record<string, unknown>
const dns = require('node:dns/promises') as Record<string, unknown>
const os = require('node:os') as Record<string, unknown>
const real = {
  connect: net['connect'],
  Resolver: dns['Resolver'],
  networkInterfaces: os['networkInterfaces'],
  hostname: os['hostname'],
}

export function installNetwork(hooks: NetworkHooks): void {
  net['connect'] = ({ host, port }: { host: string; port: number }) => {
    const owner = currentOwner()
    return new SimTargetSocket({ owner, host, port, view: hooks.view(owner, host, port) })
  }
  dns['Resolver'] = resolverFor(hooks)
  os['networkInterfaces'] = () => ({})
  os['hostname'] = () => currentOwner()?.name ?? 'world'
  syncBuiltinESMExports()
}

export function uninstallNetwork(): void {
  net['connect'] = real.connect
  dns['Resolver'] = real.Resolver
  Object.assign(os, { networkInterfaces: real.networkInterfaces, hostname: real.hostname })
  syncBuiltinESMExports()
}

const withCode = (code: string) => Object.assign(new Error(code), { code })

function resolverFor(hooks: NetworkHooks) {
  return class {
    readonly #pending = new Set<(error: Error) => void>()

    setServers(): void {}

    cancel(): void {
      for (const reject of this.#pending) reject(withCode('ECANCELLED'))
      this.#pending.clear()
    }

    async resolve(name: string, type: string): Promise<string[]> {
      const address = name === '.' ? '.' : hooks.resolve(currentOwner(), name)
      if (address === 'SILENT') return new Promise((_, reject) => this.#pending.add(reject))
      if (address === undefined) throw withCode('ENOTFOUND')
      const family = isIP(address) === 6 ? 'AAAA' : 'A'
      if (type !== family && name !== '.') throw withCode('ENODATA')
      return [address]
    }
  }
}

type SocketOptions = { owner: Owner | undefined; host: string; port: number; view: View }

const HEADER_END = '\r\n\r\n'
const UNREACHABLE = { REFUSED: 'ECONNREFUSED', NO_ROUTE: 'ENETUNREACH' } as const

class SimTargetSocket extends Duplex {
  readonly remoteAddress: string
  readonly remotePort: number
  connecting = true
  bytesRead = 0
  readonly #owner: Owner | undefined
  readonly #view: View
  #received = ''

  constructor({ owner, host, port, view }: SocketOptions) {
    super({ allowHalfOpen: false })
    this.#owner = owner
    this.#view = view
    this.remoteAddress = host
    this.remotePort = port
    if (view.reach === 'SILENT') return
    this.#after(view.connectMs, () => {
      const code = view.reach === 'OPEN' ? undefined : UNREACHABLE[view.reach as 'REFUSED']
      if (code !== undefined) return void this.destroy(withCode(code))
      this.connecting = false
      this.emit('connect')
    })
  }

  setNoDelay(): this {
    return this
  }
  setKeepAlive(): this {
    return this
  }
  setTimeout(): this {
    return this
  }
  ref(): this {
    return this
  }
  unref(): this {
    return this
  }

  override _read(): void {}

  override _write(chunk: Buffer, _: string, written: (error?: Error) => void): void {
    this.#received += chunk.toString('latin1')
    written()
    const request = toRequest(this.#received)
    if (request === undefined) return
    this.#received = ''
    this.#reply(this.#view.serve(request))
  }

  #reply(reply: SimReply): void {
    if (reply === 'SILENT') return
    if (reply === 'CLOSE') return this.#after(1, () => this.destroy(withCode('ECONNRESET')))
    const { status, body, afterMs } = reply
    const head = `HTTP/1.1 ${status} X\r\nContent-Length: ${Buffer.byteLength(body)}`
    const bytes = Buffer.from(`${head}\r\nConnection: close${HEADER_END}${body}`)
    this.#after(afterMs, () => {
      this.bytesRead += bytes.length
      this.push(bytes)
      this.push(null)
    })
  }

  #after(ms: number, work: () => void): void {
    const { destroyed } = this
    if (destroyed) return
    const run = () => {
      if (!this.destroyed) work()
    }
    runAsWorld(() =>
      setTimeout(() => {
        if (this.#owner === undefined) run()
        else reach(this.#owner, run)
      }, ms),
    )
  }
}

function toRequest(text: string): SimRequest | undefined {
  const end = text.indexOf(HEADER_END)
  if (end < 0) return undefined
  const [first = '', ...lines] = text.slice(0, end).split('\r\n')
  const headers = new Map(
    lines.map((line) => {
      const at = line.indexOf(':')
      return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()] as const
    }),
  )
  const body = text.slice(end + HEADER_END.length)
  if (body.length < Number(headers.get('content-length') ?? 0)) return undefined
  const [method = '', path = ''] = first.split(' ')
  return { method, path, headers, body: Buffer.from(body, 'latin1').toString('utf8') }
}
