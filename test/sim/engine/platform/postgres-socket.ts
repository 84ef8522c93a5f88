// A connection of the product to the simulated PostgreSQL, as its driver sees it.
import { EventEmitter } from 'node:events'
import {
  type Message,
  MessageReader,
  startParameters,
  textAt,
  WELCOME,
} from './postgres-messages.ts'
import { currentOwner, reach, runAsWorld } from './virtual-time.ts'

export type SimServer = {
  readonly isDown: boolean
  submit(exchange: Exchange): void
  /** The connection is gone. */
  dropped(socket: SimSocket): void
}

export type Exchange = { socket: SimSocket; messages: Message[]; what: string }

/** What pg expects of a socket. */
export class SimSocket extends EventEmitter {
  readonly owner = currentOwner()
  readonly #server: SimServer
  readonly #reader = new MessageReader()
  #messages: Message[] = []
  role = 'postgres'
  isGone = false
  writable = true

  constructor(server: SimServer) {
    super()
    this.#server = server
  }

  connect(): void {
    this.#soon(() => {
      if (this.#server.isDown) this.#fail('ECONNREFUSED')
      else this.emit('connect')
    })
  }

  write(chunk: Buffer, written?: () => void): boolean {
    if (this.isGone || this.owner?.isDead) return false
    for (const message of this.#reader.read(chunk)) this.#take(message)
    if (written !== undefined) this.#soon(written)
    return true
  }

  receive(response: Buffer): void {
    this.#soon(() => this.emit('data', response))
  }

  /** The server ends the connection. */
  breakOff(): void {
    this.#fail('ECONNRESET')
  }

  end(): void {
    this.#leave(() => this.emit('close'))
  }

  destroy(): void {
    this.end()
  }

  setNoDelay(): void {}
  setKeepAlive(): void {}
  cork(): void {}
  uncork(): void {}
  ref(): void {}
  unref(): void {}

  #take(message: Message): void {
    const { type } = message
    if (type === 'start') {
      const options = startParameters(message).get('options') ?? ''
      this.role = /role=(\w+)/.exec(options)?.[1] ?? 'postgres'
      return this.receive(WELCOME)
    }
    if (type === 'X') return this.end()
    this.#messages.push(message)
    const isCopy = type === 'Q' && /^\s*copy /i.test(textAt(message.bytes, 5))
    if (type !== 'S' && type !== 'c' && (type !== 'Q' || isCopy)) return
    const messages = this.#messages
    this.#messages = []
    this.#server.submit({ socket: this, messages, what: describe(messages) })
  }

  #fail(code: string): void {
    this.#leave(() => {
      this.emit('error', Object.assign(new Error(`The simulated database: ${code}`), { code }))
      this.emit('close')
    })
  }

  #leave(report: () => void): void {
    if (this.isGone) return
    this.isGone = true
    this.writable = false
    this.#server.dropped(this)
    this.#soon(report)
  }

  #soon(work: () => void): void {
    const { owner } = this
    process.nextTick(() => {
      if (owner === undefined) runAsWorld(work)
      else reach(owner, work)
    })
  }
}

function describe(messages: readonly Message[]): string {
  const names = messages.flatMap(({ type, bytes }) => {
    if (type === 'Q') return textAt(bytes, 5).slice(0, 60)
    // After the name of the portal.
    return type === 'B' ? textAt(bytes, bytes.indexOf(0, 5) + 1) : []
  })
  return names.join(' ')
}
