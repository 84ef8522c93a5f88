// PostgreSQL in the process: the product's connections talk to PGlite through pipes. It has one session, so transactions
// run one after another, and each statement first gets the role of its connection.
import { PGlite } from '@electric-sql/pglite'
import pg from 'pg'
import {
  closeStatement,
  type Message,
  messagesIn,
  PARSED,
  SYNC,
  simpleQuery,
  textAt,
} from './postgres-messages.ts'
import { type Exchange, type SimServer, SimSocket } from './postgres-socket.ts'
import { onlyStatement, Remembered, type Schema } from './remembered.ts'
import { type Owner, runAsWorld } from './virtual-time.ts'

/** What happens to one exchange of a connection. */
type Fate = { delayMs: number; crash?: 'BEFORE' | 'AFTER' }

export type PostgresHooks = {
  fateOf(owner: Owner | undefined, what: string): Fate
  crash(owner: Owner): void
  ran(owner: Owner | undefined, what: string, response: Buffer): void
}

type Options = {
  hooks: PostgresHooks
  /** Runs statements whose answer is remembered, too, and throws if it differs. */
  isChecked: boolean
}

const IDLE_IN_TRANSACTION_MS = 10_000
// No policy hides rows from this role.
const REMEMBERING = 'upvane_engine'
const RealPool = pg.Pool

export class SimPostgres implements SimServer {
  readonly #pglite: PGlite
  readonly #hooks: PostgresHooks
  /** Prepared statements, by their names. */
  readonly #texts = new Map<string, string>()
  readonly #waiting: Exchange[] = []
  /** The connection with an open transaction. */
  #holder: SimSocket | undefined
  #heldSinceMs = 0
  #role = 'postgres'
  readonly #sockets = new Set<SimSocket>()
  #isDown = false
  readonly #remembered: Remembered
  readonly #isChecked: boolean

  private constructor(pglite: PGlite, schema: Schema, { hooks, isChecked }: Options) {
    this.#pglite = pglite
    this.#hooks = hooks
    this.#remembered = new Remembered(schema)
    this.#isChecked = isChecked
  }

  static async open(image: Blob, options: Options): Promise<SimPostgres> {
    const pglite = await PGlite.create({ loadDataDir: image })
    return new SimPostgres(pglite, await readSchema(pglite), options)
  }

  /** Statements that did not have to run. */
  get remembered(): number {
    return this.#remembered.used
  }

  /** All pools of the product connect to this server until it closes. */
  install(): void {
    const stream = () => this.openSocket()
    pg.Pool = class extends RealPool {
      constructor(options: pg.PoolConfig) {
        // pg accepts a function that opens the stream, but its types do not say so.
        super({ ...options, stream } as unknown as pg.PoolConfig)
      }
    } as typeof pg.Pool
  }

  async close(): Promise<void> {
    pg.Pool = RealPool
    await this.#pglite.close()
  }

  openSocket(): SimSocket {
    const socket = new SimSocket(this)
    this.#sockets.add(socket)
    return socket
  }

  get isDown(): boolean {
    return this.#isDown
  }

  stop(): void {
    this.#isDown = true
    for (const socket of this.#sockets) socket.breakOff()
  }

  startAgain(): void {
    this.#isDown = false
  }

  /** The process is gone, and all its connections with it. */
  left(owner: Owner): void {
    for (const socket of this.#sockets) if (socket.owner === owner) socket.breakOff()
  }

  /** Outside of all connections, as the superuser. */
  run(text: string): Buffer {
    return this.#execute(simpleQuery(text))
  }

  submit(exchange: Exchange): void {
    const { delayMs } = this.#hooks.fateOf(exchange.socket.owner, exchange.what)
    const arrive = () => {
      if (this.#isDown) return exchange.socket.breakOff()
      this.#waiting.push(exchange)
      this.#pump()
    }
    runAsWorld(() => {
      if (delayMs > 0) setTimeout(arrive, delayMs)
      else process.nextTick(arrive)
    })
  }

  /** The connection is gone: its transaction is rolled back. */
  dropped(socket: SimSocket): void {
    this.#sockets.delete(socket)
    for (let i = this.#waiting.length - 1; i >= 0; i--)
      if (this.#waiting[i]?.socket === socket) this.#waiting.splice(i, 1)
    if (this.#holder !== socket) return
    this.#execute(simpleQuery('rollback'))
    this.#holder = undefined
    runAsWorld(() => process.nextTick(() => this.#pump()))
  }

  #pump(): void {
    for (;;) {
      const holder = this.#holder
      const at = holder === undefined ? 0 : this.#waiting.findIndex((e) => e.socket === holder)
      const [next] = at < 0 ? [] : this.#waiting.splice(at, 1)
      if (next === undefined) break
      this.#serve(next)
    }
    if (this.#waiting.length > 0) this.#watchHolder()
  }

  #watchHolder(): void {
    const holder = this.#holder
    const sinceMs = this.#heldSinceMs
    if (holder === undefined) return
    setTimeout(() => {
      if (this.#holder === holder && this.#heldSinceMs === sinceMs) holder.breakOff()
    }, IDLE_IN_TRANSACTION_MS)
  }

  #serve({ socket, messages, what }: Exchange): void {
    if (socket.isGone) return
    const { owner } = socket
    const { crash } = this.#hooks.fateOf(owner, `run ${what}`)
    if (crash === 'BEFORE' && owner !== undefined) return this.#hooks.crash(owner)
    if (this.#holder === undefined) this.#become(socket.role)
    const response = this.#answer(messages)
    this.#holder = isOpen(response) ? socket : undefined
    this.#heldSinceMs = performance.now()
    this.#hooks.ran(owner, what, response)
    if (crash === 'AFTER' && owner !== undefined) return this.#hooks.crash(owner)
    socket.receive(response)
  }

  #answer(messages: readonly Message[]): Buffer {
    const text = this.#texts.get(onlyStatement(messages) ?? '')
    const mayRemember = this.#holder === undefined && this.#role === REMEMBERING
    if (text === undefined || !mayRemember || !this.#remembered.isStable(text))
      return this.#run(messages)
    const key = Buffer.concat(messages.map(({ bytes }) => bytes)).toString('latin1')
    const remembered = this.#remembered.find(key, text)
    if (remembered !== undefined && !this.#isChecked) return remembered
    const response = this.#run(messages)
    if (remembered !== undefined && !remembered.equals(response))
      throw new Error(`Not what was remembered: ${text}`)
    this.#remembered.keep(key, text, response)
    return response
  }

  /** Statements have the name of their text, so connections can share those that are prepared. */
  #run(messages: readonly Message[]): Buffer {
    const fresh: string[] = []
    let known = 0
    const sent = messages.filter(({ type, bytes }) => {
      const name = type === 'P' ? textAt(bytes, 5) : ''
      if (name === '') return true
      if (this.#texts.has(name)) known += 1
      else {
        fresh.push(name)
        this.#texts.set(name, textAt(bytes, 6 + Buffer.byteLength(name)))
        return true
      }
      return false
    })
    const texts = this.#textsOf(messages)
    const response = this.#execute(Buffer.concat(sent.map(({ bytes }) => bytes)))
    this.#remembered.ran(texts, response)
    if (fresh.length > 0 && hasFailed(response)) this.#unprepare(fresh)
    return known === 0 ? response : Buffer.concat([...Array(known).fill(PARSED), response])
  }

  #textsOf(messages: readonly Message[]): string[] {
    return messages.flatMap(({ type, bytes }) => {
      if (type === 'Q') return textAt(bytes, 5)
      if (type === 'P') return textAt(bytes, bytes.indexOf(0, 5) + 1)
      return type === 'B' ? (this.#texts.get(textAt(bytes, bytes.indexOf(0, 5) + 1)) ?? []) : []
    })
  }

  #unprepare(names: readonly string[]): void {
    for (const name of names) {
      this.#texts.delete(name)
      this.#execute(Buffer.concat([closeStatement(name), SYNC]))
    }
  }

  #become(role: string): void {
    if (this.#role === role) return
    this.#execute(simpleQuery(`set role ${role}`))
    this.#role = role
  }

  #execute(bytes: Buffer): Buffer {
    const response = runAsWorld(() => this.#pglite.execProtocolRawSync(bytes))
    // Its memory is used again.
    return Buffer.from(response)
  }
}

/** The last message says whether a transaction is open. */
const isOpen = (response: Buffer) => response.at(-1) !== 'I'.charCodeAt(0)

function hasFailed(response: Buffer): boolean {
  for (const { type } of messagesIn(response)) if (type === 'E') return true
  return false
}

const TABLES = `select relname as name from pg_class
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`
const OPAQUE = `
  select relname as name from pg_class
   where relnamespace = 'public'::regnamespace and relkind in ('v', 'm')
   union select proname from pg_proc where pronamespace = 'public'::regnamespace`
const WITH_TRIGGERS = `
  select c.relname as name from pg_trigger t join pg_class c on c.oid = t.tgrelid
   where not t.tgisinternal`
const WITH_DEPENDENTS = `
  select c.relname as name from pg_constraint f join pg_class c on c.oid = f.confrelid
   where f.contype = 'f' and f.confdeltype in ('c', 'n', 'd')`

async function readSchema(pglite: PGlite): Promise<Schema> {
  const names = async (text: string) =>
    new Set((await pglite.query<{ name: string }>(text)).rows.map(({ name }) => name))
  return {
    tables: await names(TABLES),
    opaque: await names(OPAQUE),
    withTriggers: await names(WITH_TRIGGERS),
    withDependents: await names(WITH_DEPENDENTS),
  }
}
