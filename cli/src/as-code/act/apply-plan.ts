// Carries out a plan. It can end at any point, also without notice, and be run again.
import { randomBytes } from 'node:crypto'
import { isApiError, type Upvane, UpvaneError } from '@upvane/sdk'
import { CommandError } from '../../command.ts'
import { hasSameSecrets, makeDigest, wasApplied } from '../model/digest.ts'
import type { LiveResources } from '../model/live.ts'
import type { WantedState } from '../model/wanted.ts'
import { settleReferences } from '../plan/bodies.ts'
import { type ConfigPlan, isChange, type PlannedStep } from '../plan/plan.ts'
import { BindingLedger } from './bindings.ts'
import { isFatal, messageOf } from './errors.ts'
import {
  chooseRegions,
  createKey,
  createResource,
  escalate,
  GoneError,
  relateMonitor,
  removeResource,
  updateResource,
} from './write-resource.ts'

type ApplyHooks = {
  onStep(step: PlannedStep, outcome: 'done' | 'failed' | 'skipped', message: string): void
  onNote(text: string): void
  /** Secrets that are shown this once. */
  onSecret(address: string, secret: string): void
  isStopped(): boolean
}
export type ApplyResult = { done: number; failed: number; skipped: number; isStopped: boolean }

const CHECKPOINT_STEPS = 50
const SALT_BYTES = 12

export async function applyPlan(
  client: Upvane,
  plan: ConfigPlan,
  live: LiveResources,
  hooks: ApplyHooks,
): Promise<ApplyResult> {
  const run = new Run(client, plan, live, hooks)
  await run.announce()
  try {
    for (const step of plan.steps.filter(isChange)) {
      if (hooks.isStopped()) break
      await run.carryOut(step)
    }
  } finally {
    await run.finish()
  }
  return { ...run.result, isStopped: hooks.isStopped() }
}

class Run {
  readonly result = { done: 0, failed: 0, skipped: 0 }
  readonly #client: Upvane
  readonly #plan: ConfigPlan
  readonly #hooks: ApplyHooks
  readonly #ledger: BindingLedger
  readonly #ids = new Map<string, string>()
  readonly #contacts: string[]
  readonly #hasNothingToDo: boolean
  #isBroken = false
  #hasWarned = false

  constructor(client: Upvane, plan: ConfigPlan, live: LiveResources, hooks: ApplyHooks) {
    this.#client = client
    this.#plan = plan
    this.#hooks = hooks
    this.#hasNothingToDo = !plan.steps.some(isChange)
    this.#ledger = new BindingLedger(client, plan)
    this.#contacts = live.filter(({ kind }) => kind === 'contacts').map(({ id }) => id)
    for (const { address, live: there } of plan.steps)
      if (there !== undefined) this.#ids.set(address, there.id)
  }

  /** Before anything is created the server knows what will be, so that nothing is created twice. */
  async announce(): Promise<void> {
    for (const { address, action, live } of this.#plan.steps) {
      if (action === 'create') this.#ledger.set({ address, id: null })
      if (action === 'update' && live !== undefined) this.#ledger.set({ address, id: live.id })
    }
    await this.#ledger.announce()
  }

  async carryOut(step: PlannedStep): Promise<void> {
    if (this.#isBroken) return this.#skip(step, 'the API does not take requests any more')
    try {
      if (step.wanted === undefined) await this.#remove(step)
      else {
        const settled = settleReferences(step.wanted, this.#ids)
        if ('missing' in settled) return this.#skip(step, `${settled.missing} does not exist`)
        await this.#write(step, settled.wanted)
      }
      this.result.done += 1
      this.#hooks.onStep(step, 'done', '')
      if (this.result.done % CHECKPOINT_STEPS === 0) await this.#ledger.save()
    } catch (error) {
      this.#fail(step, error)
    }
  }

  /** Also remembers what the file asked for where nothing had to be changed. */
  async finish(): Promise<void> {
    if (this.#isBroken) return
    for (const step of this.#plan.steps) {
      const { action, live, wanted, binding } = step
      if (action !== 'none' || live === undefined || wanted === undefined) continue
      const isKnown = wasApplied(binding?.digest ?? null, wanted.body) === true
      if (!isKnown) this.#remember(step, live.id, wanted)
    }
    try {
      await this.#ledger.save()
    } catch (error) {
      // A read-only key that had nothing to do has done all of it.
      if (!this.#hasNothingToDo || !isApiError(error, 'forbidden')) throw error
    }
  }

  async #write(step: PlannedStep, wanted: WantedState): Promise<void> {
    const { address, kind, live } = step
    if (live !== undefined) {
      await updateResource(this.#client, step, wanted)
      if (kind === 'monitors') await relateMonitor(this.#client, live.id, wanted, relationsOf(step))
      await escalate(this.#client, live.id, wanted, live.body['escalation'])
      await chooseRegions(this.#client, live, wanted, live.body['regions'])
      return this.#remember(step, live.id, wanted)
    }
    const key = createKey(this.#plan.source, address, this.#ledger.generationOf(address))
    const { id, secret, isWhole } = await createResource(this.#client, step, wanted, key)
    // Known before the rest is done: if that fails, the next apply continues with this one.
    this.#ids.set(address, id)
    if (kind === 'contacts') this.#contacts.push(id)
    this.#ledger.set({ address, id })
    if (secret !== undefined) this.#hooks.onSecret(address, secret)
    if (kind === 'monitors' && !isWhole) await this.#relateNew(id, wanted)
    await escalate(this.#client, id, wanted, [])
    if (!isWhole) await chooseRegions(this.#client, { kind, id }, wanted, [])
    this.#remember(step, id, wanted)
  }

  /** For a service that cannot create a monitor with everything: it alerts every contact until they are detached. */
  async #relateNew(id: string, wanted: WantedState): Promise<void> {
    if (!this.#hasWarned && wanted.body['contactIds'] !== undefined)
      this.#hooks.onNote(
        'This service is older than upv: until their contacts are detached, one by one, new monitors alert everybody. Version 0.2 creates them in one request.',
      )
    this.#hasWarned = true
    const before = { tagIds: [], contactIds: this.#contacts, paused: false }
    await relateMonitor(this.#client, id, wanted, before)
  }

  #remember(step: PlannedStep, id: string, wanted: WantedState): void {
    const salt = randomBytes(SALT_BYTES).toString('base64url')
    const writeOnly = knowsSecrets(step) ? wanted.writeOnly : undefined
    const digest = makeDigest(salt, wanted.body, writeOnly)
    this.#ledger.set({ address: step.address, id, digest })
  }

  async #remove(step: PlannedStep): Promise<void> {
    await removeResource(this.#client, step)
    if (step.action !== 'pause') this.#ledger.remove(step.address)
  }

  #skip(step: PlannedStep, why: string): void {
    this.result.skipped += 1
    this.#hooks.onStep(step, 'skipped', why)
  }

  #fail(step: PlannedStep, error: unknown): void {
    if (!(error instanceof CommandError || error instanceof UpvaneError)) throw error
    if (error instanceof GoneError) this.#ledger.set({ address: step.address, id: error.id })
    if (isFatal(error)) this.#isBroken = true
    this.result.failed += 1
    this.#hooks.onStep(step, 'failed', messageOf(error))
  }
}

/** Whether the API now holds the secrets of the file: just sent, or the same as before. */
function knowsSecrets({ action, changes, wanted, binding }: PlannedStep): boolean {
  const names = Object.keys(wanted?.writeOnly ?? {})
  if (action === 'create' || names.length === 0) return true
  if (hasSameSecrets(binding?.digest ?? null, wanted?.writeOnly ?? {}) === true) return true
  const sent = new Set(changes.map(({ path }) => path.split('.')[0]))
  if (sent.has('passwordProtected')) sent.add('password')
  return names.every((name) => sent.has(name.split('.')[0]))
}

function relationsOf({ live }: PlannedStep) {
  const { tagIds, contactIds, paused } = live?.body ?? {}
  const texts = (value: unknown) => (Array.isArray(value) ? value.map(String) : [])
  return { tagIds: texts(tagIds), contactIds: texts(contactIds), paused: paused === true }
}
