// Lets probes join by token, and makes sure that NATS knows which probes and used tokens are revoked.
import { setTimeout as sleep } from 'node:timers/promises'
import { findAuthority } from '../actions/probes/bus-authority.ts'
import { joinProbe } from '../actions/probes/join.ts'
import { pushRevocations } from '../actions/probes/revoke.ts'
import { revokeProbeToken } from '../actions/probes/revoke-token.ts'
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
// Every request costs NATS and this process something, even if it is dropped. A probe that is restarted again and again
// asks less often than this: the token is in the wrong hands, and ends.
const FLOOD_OF_TOKEN = 200
const WINDOW_MS = 60_000
const MAX_TOKENS = 10_000
// The response arrives before NATS disconnects the token.
const PUSH_AFTER_MS = 2000
const PUSH_AGAIN_MS = 30_000
const REVOKE_AGAIN_MS = 5000

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
    admit(token) {
      const asked = requests.add(token, performance.now())
      if (asked === FLOOD_OF_TOKEN) revocations.endFlood(token)
      return asked <= REQUESTS_PER_TOKEN
    },
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
  const findSeeds = async () => {
    const seeds = await findAuthority(database, secrets)
    if (seeds === undefined) throw new ApiError('forbidden', 'Run upvane nats setup first.')
    return seeds
  }
  return joinProbe(database, findSeeds, body, token)
}

/** One push at a time. What fails is tried again, and by the next process that starts. */
class Revocations {
  readonly #context: Context
  readonly #database: Database
  readonly #secrets: PeopleSecrets
  #timer: NodeJS.Timeout | undefined
  #pushing: Promise<void> = Promise.resolve()
  #isPushQueued = false
  /** Of tokens that flood, until each is revoked. */
  readonly #ending = new Map<string, Promise<void>>()
  readonly #stopping = new AbortController()
  #isDueAgain = false

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
    if (this.#isStopped() || !this.#isPossible()) return
    // The token that was used last needs its moment, and a push that is due must not wait for ever.
    this.#isDueAgain = this.#timer !== undefined
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      if (this.#isDueAgain) this.pushSoon()
      this.#isDueAgain = false
      this.#pushNow()
    }, afterMs)
  }

  /** NATS disconnects the holder of the token, and with it the flood. */
  endFlood(token: string): void {
    if (this.#isStopped() || !this.#isPossible() || this.#ending.has(token)) return
    const ending = this.#end(token).finally(() => this.#ending.delete(token))
    this.#ending.set(token, ending)
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    clearTimeout(this.#timer)
    await Promise.all(this.#ending.values())
    await this.#pushing
  }

  async #end(token: string): Promise<void> {
    const { signal } = this.#stopping
    while (!(this.#isStopped() || (await this.#revoke(token))))
      await sleep(REVOKE_AGAIN_MS, undefined, { signal }).catch(() => {})
  }

  async #revoke(token: string): Promise<boolean> {
    const { log } = this.#context
    try {
      const revoked = await revokeProbeToken(this.#database, token)
      if (revoked === undefined) return true
      const { region } = revoked
      log.warn({ token, region }, 'a token of a probe was revoked: too many requests to join')
    } catch (err) {
      log.error({ err, token }, 'a token of a probe that floods could not be revoked')
      return false
    }
    this.#pushNow()
    return true
  }

  #isStopped(): boolean {
    return this.#stopping.signal.aborted
  }

  /** What is still to be pushed includes what was revoked meanwhile. */
  #pushNow(): void {
    if (this.#isPushQueued) return
    this.#isPushQueued = true
    this.#pushing = this.#pushing.then(() => {
      this.#isPushQueued = false
      return this.#push()
    })
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
