// Lets probes join by token, and makes sure that NATS knows which probes and used tokens are revoked.
import { findAuthority } from '../actions/probes/bus-authority.ts'
import { joinProbe } from '../actions/probes/join.ts'
import { pushRevocations } from '../actions/probes/revoke.ts'
import { ApiError } from '../platform/api-error.ts'
import { FixedWindow } from '../platform/limits/fixed-window.ts'
import type { Part } from '../platform/process/lifecycle.ts'
import type { Database } from '../store/core/db.ts'
import { listRevokedKeys } from '../store/operating/probes.ts'
import { PeopleSecrets } from '../store/people/people-secrets.ts'
import { type Context, openPool } from './context.ts'

const CONNECTIONS = 1
// A probe asks once, and again if it got no response. More is dropped unread: a token may be in anyone's hands.
const REQUESTS_PER_TOKEN = 10
const WINDOW_MS = 60_000
const MAX_TOKENS = 10_000
// The response arrives before NATS disconnects the token.
const PUSH_AFTER_MS = 2000
const PUSH_AGAIN_MS = 30_000

/** Nothing to do without NATS: then this process's own probe is the only one. */
export async function startProbeJoins(context: Context): Promise<Part[]> {
  const { config, bus, log } = context
  if (config.natsUrl === undefined) return []
  const database = openPool(context, 'joining', 'upvane_engine', CONNECTIONS)
  const secrets = new PeopleSecrets(config.masterKeys)
  const revocations = new Revocations(context, database, secrets)
  const limit = { windowMs: WINDOW_MS, maxKeys: MAX_TOKENS, whenFull: 'CLEAR' } as const
  const requests = new FixedWindow(limit)
  const serving = await bus.serveSenders('join', {
    admit: (token) => requests.add(token, performance.now()) <= REQUESTS_PER_TOKEN,
    async handle(body, token) {
      try {
        const joined = await join(database, secrets, body, token)
        revocations.pushSoon()
        return { joined }
      } catch (error) {
        if (error instanceof ApiError) return { refused: error.message }
        log.error({ err: error }, 'a probe could not join')
        return { refused: 'The installation has a problem; its log says which. Try again later.' }
      }
    },
  })
  await revocations.pushAtStart()
  return [
    { name: 'joining database', stop: () => database.close() },
    { name: 'revocations', stop: () => revocations.stop() },
    { name: 'joining', stop: () => serving.stop() },
  ]
}

/** NATS permits each token only its own name, except those of an older version, which have none. */
async function join(database: Database, secrets: PeopleSecrets, body: unknown, token: string) {
  const seeds = await findAuthority(database, secrets)
  if (seeds === undefined) throw new ApiError('forbidden', 'Run upvane nats setup first.')
  return joinProbe(database, seeds, body, token)
}

/** One push at a time. What fails is tried again, and by the next process that starts. */
class Revocations {
  readonly #context: Context
  readonly #database: Database
  readonly #secrets: PeopleSecrets
  #timer: NodeJS.Timeout | undefined
  #pushing: Promise<void> = Promise.resolve()
  #isDueAgain = false
  #isStopped = false

  constructor(context: Context, database: Database, secrets: PeopleSecrets) {
    this.#context = context
    this.#database = database
    this.#secrets = secrets
  }

  async pushAtStart(): Promise<void> {
    if (!this.#isPossible()) return
    try {
      if ((await listRevokedKeys(this.#database)).size === 0) return
    } catch (err) {
      this.#context.log.warn({ err }, 'the list of revoked probes cannot be read')
    }
    await this.#push()
  }

  pushSoon(afterMs = PUSH_AFTER_MS): void {
    if (this.#isStopped || !this.#isPossible()) return
    // The token that was used last needs its moment, and a push that is due must not wait for ever.
    this.#isDueAgain = this.#timer !== undefined
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      if (this.#isDueAgain) this.pushSoon()
      this.#isDueAgain = false
      this.#pushing = this.#pushing.then(() => this.#push())
    }, afterMs)
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#timer)
    await this.#pushing
  }

  /** Without our credentials the server is not in operator mode, and has no one to revoke. */
  #isPossible(): boolean {
    const { natsUrl, natsCredsFile } = this.#context.config
    return natsUrl !== undefined && natsCredsFile !== undefined
  }

  async #push(): Promise<void> {
    const { natsUrl: url, natsCaFile: caFile } = this.#context.config
    try {
      const seeds = await findAuthority(this.#database, this.#secrets)
      if (seeds === undefined || url === undefined) return
      const target = { url, ...(caFile === undefined ? {} : { caFile }) }
      await pushRevocations(target, seeds, this.#database)
    } catch (err) {
      this.#context.log.warn({ err }, 'NATS could not be notified which probes are revoked')
      this.pushSoon(PUSH_AGAIN_MS)
    }
  }
}
