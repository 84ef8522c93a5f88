// PostgreSQL in the process: the product's connections talk to PGlite through pipes. It has one session, so transactions
// run one after another, and each statement first gets the role of its connection. A transaction whose answers are all
// remembered never begins there.
import { PGlite } from '@electric-sql/pglite'
import pg from 'pg'
import {
  begun,
  closeStatement,
  ENDED,
  type Message,
  messagesIn,
  PARSED,
  SYNC,
  simpleQuery,
  textAt,
  withState,
} from './postgres-messages.ts'
import { type Exchange, type SimServer, SimSocket } from './postgres-socket.ts'
import { onlyStatement, Remembered, type Schema, SETTINGS } from './remembered.ts'
import { type Owner, runAsWorld, type VirtualTime } from './virtual-time.ts'

/** What happens to one exchange of a connection. */
type Fate = {
  delayMs: number
  /**
   * The process dies, or is frozen while the statement runs, or only the connection breaks: then it does not know whether the
   * statement ran.
   */
  crash?: 'BEFORE' | 'AFTER' | 'CUT_BEFORE' | 'CUT_AFTER' | 'FREEZE'
}

export type PostgresHooks = {
  fateOf(owner: Owner | undefined, what: string): Fate
  crash(owner: Owner): void
  freeze(owner: Owner): void
  /** The statement writes results, and has not committed. */
  records(owner: Owner): void
  ran(owner: Owner | undefined, what: string, response: Buffer): void
}

type Options = {
  hooks: PostgresHooks
  time: VirtualTime
  /** Runs statements whose answer is remembered, too, and throws if it differs. */
  isChecked: boolean
}

/** A transaction of one connection. */
type Open = {
  socket: SimSocket
  /** What `now()` returns in it. */
  nowMs: number
  heldSinceMs: number
  /** What did not run, with its answers. Undefined once it has begun in PostgreSQL. */
  postponed: { messages: readonly Message[]; response: Buffer }[] | undefined
  hasWritten: boolean
}

const IDLE_IN_TRANSACTION_MS = 10_000
const BEGIN = /^begin; select set_config\('app\.org', '([0-9a-f-]*)', true\), now\(\) as now$/
const RECORDING = /^\s*(?:copy|insert into) results/
// No policy hides rows from this role.
const REMEMBERING = 'upvane_engine'
const RealPool = pg.Pool

export class SimPostgres implements SimServer {
  readonly #pglite: PGlite
  readonly #hooks: PostgresHooks
  /** Prepared statements, by their names. */
  readonly #texts = new Map<string, string>()
  readonly #waiting: Exchange[] = []
  #open: Open | undefined
  #role = 'postgres'
  readonly #time: VirtualTime
  readonly #sockets = new Set<SimSocket>()
  #isDown = false
  readonly #remembered: Remembered
  readonly #isChecked: boolean

  /** Statements that did not have to run. */
  remembered = 0
  /** How often PGlite was asked, also to find out what may be remembered. */
  executed = 0

  private constructor(pglite: PGlite, schema: Schema, { hooks, time, isChecked }: Options) {
    this.#pglite = pglite
    this.#time = time
    this.#hooks = hooks
    this.#remembered = new Remembered(schema)
    this.#isChecked = isChecked
  }

  static async open(image: Blob, options: Options): Promise<SimPostgres> {
    const pglite = await PGlite.create({ loadDataDir: image })
    return new SimPostgres(pglite, await readSchema(pglite), options)
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
    if (this.#open?.socket !== socket) return
    if (this.#open.postponed === undefined) this.#execute(simpleQuery('rollback'))
    this.#open = undefined
    runAsWorld(() => process.nextTick(() => this.#pump()))
  }

  #pump(): void {
    for (;;) {
      const holder = this.#open?.socket
      const at = holder === undefined ? 0 : this.#waiting.findIndex((e) => e.socket === holder)
      const [next] = at < 0 ? [] : this.#waiting.splice(at, 1)
      if (next === undefined) break
      this.#serve(next)
    }
    if (this.#waiting.length > 0) this.#watchHolder()
  }

  #watchHolder(): void {
    const open = this.#open
    if (open === undefined) return
    const { heldSinceMs } = open
    setTimeout(() => {
      if (this.#open === open && open.heldSinceMs === heldSinceMs) open.socket.breakOff()
    }, IDLE_IN_TRANSACTION_MS)
  }

  #serve({ socket, messages, what }: Exchange): void {
    if (socket.isGone) return
    const { owner } = socket
    const { crash } = this.#hooks.fateOf(owner, `run ${what}`)
    if (crash === 'BEFORE' && owner !== undefined) return this.#hooks.crash(owner)
    if (crash === 'CUT_BEFORE') return socket.breakOff()
    if (crash === 'FREEZE' && owner !== undefined) this.#hooks.freeze(owner)
    const response = this.#answer(socket, messages)
    this.#watchRecords(owner, messages)
    if (this.#open !== undefined) this.#open.heldSinceMs = performance.now()
    this.#hooks.ran(owner, what, response)
    if (crash === 'AFTER' && owner !== undefined) return this.#hooks.crash(owner)
    if (crash === 'CUT_AFTER') return socket.breakOff()
    socket.receive(response)
  }

  #watchRecords(owner: Owner | undefined, messages: readonly Message[]): void {
    const text = simpleText(messages) ?? this.#texts.get(onlyStatement(messages) ?? '') ?? ''
    if (owner !== undefined && RECORDING.test(text)) this.#hooks.records(owner)
  }

  #answer(socket: SimSocket, messages: readonly Message[]): Buffer {
    const postponed = this.#postpone(socket, messages)
    if (postponed !== undefined) {
      this.remembered += 1
      return postponed
    }
    this.#beginPostponed()
    if (this.#open === undefined) this.#become(socket.role)
    return this.#runAndKeep(socket, messages)
  }

  /** The answer, if nothing has to run for it. */
  #postpone(socket: SimSocket, messages: readonly Message[]): Buffer | undefined {
    if (socket.role !== REMEMBERING) return undefined
    const open = this.#open
    const simple = simpleText(messages)
    if (open === undefined) {
      const [, orgId] = BEGIN.exec(simple ?? '') ?? []
      if (orgId === undefined) return this.#recall(messages, this.#time.nowMs)
      const response = begun(orgId, this.#time.nowMs)
      const postponed = [{ messages, response }]
      const [nowMs, heldSinceMs] = [this.#time.nowMs, performance.now()]
      this.#open = { socket, nowMs, heldSinceMs, postponed, hasWritten: false }
      return response
    }
    if (open.postponed === undefined) return undefined
    if (simple === 'commit' || simple === 'rollback') {
      if (this.#isChecked) {
        this.#beginPostponed()
        this.#execute(simpleQuery(simple))
      }
      this.#open = undefined
      return ENDED[simple]
    }
    const answer = this.#recall(messages, open.nowMs)
    if (answer === undefined) return undefined
    const response = withState(answer, 'T')
    open.postponed.push({ messages, response })
    return response
  }

  /** What a statement was answered before, if it would be the same at this time. */
  #recall(messages: readonly Message[], nowMs: number): Buffer | undefined {
    const text = this.#texts.get(onlyStatement(messages) ?? '')
    if (text === undefined) return undefined
    const answer = this.#remembered.find(keyOf(messages), text)
    if (answer === undefined || nowMs < answer.fromMs) return undefined
    while (nowMs > answer.untilMs) {
      const atMs = this.#remembered.aheadOf(answer, text, nowMs)
      if (atMs === undefined) return undefined
      const isSame = this.#peek(messages, atMs).equals(answer.response)
      this.#remembered.peeked(answer, text, { atMs, isSame })
    }
    if (this.#isChecked && this.#open === undefined) this.#check(messages, answer.response)
    return answer.response
  }

  /** What a statement would be answered later, if nothing was written until then. */
  #peek(messages: readonly Message[], atMs: number): Buffer {
    return this.#time.at(atMs, () => {
      this.#become(REMEMBERING)
      this.#execute(simpleQuery('begin'))
      const response = this.#execute(Buffer.concat(messages.map(({ bytes }) => bytes)))
      this.#execute(simpleQuery('rollback'))
      return withState(response, 'I')
    })
  }

  #check(messages: readonly Message[], response: Buffer): void {
    this.#become(REMEMBERING)
    const real = this.#execute(Buffer.concat(messages.map(({ bytes }) => bytes)))
    if (!real.equals(response))
      throw new Error(`Not what was remembered: ${this.#textsOf(messages).join()}`)
  }

  /** Something has to run after all: the transaction begins, as of when it should have. */
  #beginPostponed(): void {
    const open = this.#open
    if (open?.postponed === undefined) return
    const { postponed, socket, nowMs } = open
    open.postponed = undefined
    this.#become(socket.role)
    this.#time.at(nowMs, () => {
      for (const { messages, response } of postponed) {
        if (this.#isChecked) this.#check(messages, response)
        else if (this.#isSetting(messages))
          this.#execute(Buffer.concat(messages.map(({ bytes }) => bytes)))
      }
    })
  }

  #isSetting(messages: readonly Message[]): boolean {
    const text = simpleText(messages) ?? this.#texts.get(onlyStatement(messages) ?? '') ?? ''
    return BEGIN.test(text) || SETTINGS.test(text)
  }

  #runAndKeep(socket: SimSocket, messages: readonly Message[]): Buffer {
    const text = this.#texts.get(onlyStatement(messages) ?? '')
    const alone = { nowMs: this.#time.nowMs, heldSinceMs: 0, postponed: undefined }
    const open = this.#open ?? { socket, ...alone, hasWritten: false }
    const { response, hasWritten } = this.#run(messages, this.#numberBefore(text))
    open.hasWritten ||= hasWritten
    this.#open = isOpen(response) ? open : undefined
    if (text === undefined || open.hasWritten || this.#role !== REMEMBERING) return response
    const kept = { response: withState(response, 'I'), nowMs: open.nowMs }
    this.#remembered.keep(keyOf(messages), text, kept)
    return response
  }

  /** Undefined if it is clear from the response whether the statement writes. */
  #numberBefore(text: string | undefined): string | undefined {
    if (text === undefined || this.#open !== undefined || this.#role !== REMEMBERING)
      return undefined
    return this.#remembered.isUnclear(text) ? this.#nextTransaction() : undefined
  }

  /** Only transactions that write are numbered. */
  #nextTransaction(): string {
    const text = 'select pg_snapshot_xmax(pg_current_snapshot())'
    return this.#execute(simpleQuery(text)).toString('latin1')
  }

  /** Statements have the name of their text, so connections can share those that are prepared. */
  #run(
    messages: readonly Message[],
    numberBefore?: string,
  ): { response: Buffer; hasWritten: boolean } {
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
    const isNumbered = numberBefore === undefined || numberBefore !== this.#nextTransaction()
    const hasWritten = isNumbered && this.#remembered.ran(texts, response)
    if (fresh.length > 0 && hasFailed(response)) this.#unprepare(fresh)
    if (known === 0) return { response, hasWritten }
    return { response: Buffer.concat([...Array(known).fill(PARSED), response]), hasWritten }
  }

  #textsOf(messages: readonly Message[]): string[] {
    const texts = messages.flatMap(({ type, bytes }) => {
      if (type === 'Q') return textAt(bytes, 5)
      if (type === 'P') return textAt(bytes, bytes.indexOf(0, 5) + 1)
      return type === 'B' ? (this.#texts.get(textAt(bytes, bytes.indexOf(0, 5) + 1)) ?? []) : []
    })
    return [...new Set(texts)]
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
    this.executed += 1
    const response = runAsWorld(() => this.#pglite.execProtocolRawSync(bytes))
    // Its memory is used again.
    return Buffer.from(response)
  }
}

const keyOf = (messages: readonly Message[]) =>
  Buffer.concat(messages.map(({ bytes }) => bytes)).toString('latin1')

/** The text of an exchange in the simple protocol. */
function simpleText([first, second]: readonly Message[]): string | undefined {
  return first?.type === 'Q' && second === undefined ? textAt(first.bytes, 5) : undefined
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
   union select proname from pg_proc
   where pronamespace = 'public'::regnamespace and provolatile <> 'i'`
const WRITERS = `
  select proname as name from pg_proc
   where pronamespace = 'public'::regnamespace and provolatile = 'v'`
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
    writers: await names(WRITERS),
    withTriggers: await names(WITH_TRIGGERS),
    withDependents: await names(WITH_DEPENDENTS),
  }
}
