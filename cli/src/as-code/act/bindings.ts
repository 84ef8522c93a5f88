// The bindings of a source on the server. They are written as a whole, by the revision that was read.
import { isApiError, type Upvane } from '@upvane/sdk'
import { CommandError } from '../../command.ts'
import type { ConfigPlan, KnownBindings, SourceBinding } from '../plan/plan.ts'

/** What is left out is kept by the server; a new address gets a generation there. */
type BindingUpdate = { address: string; id: string | null; digest?: string | null }

const MAX_ATTEMPTS = 5

export async function readBindings(client: Upvane, source: string): Promise<KnownBindings> {
  return await client.ext.sources.bindings(source)
}

/** The bindings as this apply knows them. Changes are collected and saved together. */
export class BindingLedger {
  readonly #client: Upvane
  readonly #source: string
  readonly #bindings: Map<string, SourceBinding>
  /** Addresses that this apply changes; null removes. The others stay as they are on the server. */
  readonly #touched = new Map<string, BindingUpdate | null>()
  #revision: number
  #isDirty: boolean

  constructor(
    client: Upvane,
    plan: Pick<ConfigPlan, 'source' | 'revision' | 'bindings' | 'hasMoves'>,
  ) {
    this.#client = client
    this.#source = plan.source
    this.#revision = plan.revision
    this.#bindings = new Map(plan.bindings.map((binding) => [binding.address, binding]))
    this.#isDirty = plan.hasMoves
  }

  set(update: BindingUpdate): void {
    const old = this.#bindings.get(update.address)
    const { digest = old?.digest ?? null } = update
    if (old !== undefined && old.id === update.id && old.digest === digest) return
    this.#bindings.set(update.address, { generation: 0, ...old, ...update, digest })
    this.#touched.set(update.address, update)
    this.#isDirty = true
  }

  remove(address: string): void {
    if (!this.#bindings.delete(address)) return
    this.#touched.set(address, null)
    this.#isDirty = true
  }

  generationOf(address: string): number {
    return this.#bindings.get(address)?.generation ?? 0
  }

  /** Refuses if the bindings moved since the plan was made. */
  async announce(): Promise<void> {
    if (!this.#isDirty) return
    try {
      await this.#put()
    } catch (error) {
      if (!isApiError(error, 'conflict')) throw error
      throw new CommandError(4, `${error.message} Another apply may be running: plan again.`)
    }
  }

  /** Saves what was done, also if somebody else changed other bindings meanwhile. */
  async save(): Promise<void> {
    for (let attempt = 1; this.#isDirty; attempt++)
      try {
        await this.#put()
      } catch (error) {
        if (!isApiError(error, 'conflict') || attempt === MAX_ATTEMPTS) throw error
        const { revision, bindings } = await readBindings(this.#client, this.#source)
        if (revision === this.#revision) throw error
        this.#merge(revision, bindings)
      }
  }

  #merge(revision: number, bindings: SourceBinding[]): void {
    this.#revision = revision
    this.#bindings.clear()
    for (const binding of bindings) this.#bindings.set(binding.address, binding)
    for (const [address, update] of this.#touched) {
      const old = this.#bindings.get(address)
      if (update === null) this.#bindings.delete(address)
      else this.#bindings.set(address, { generation: 0, digest: null, ...old, ...update })
    }
  }

  async #put(): Promise<void> {
    const bindings = [...this.#bindings.values()].map(({ address, id, digest }) => ({
      address,
      id,
      ...(digest !== null && { digest }),
    }))
    const body = { revision: this.#revision, bindings }
    const change = await this.#client.ext.sources.putBindings(this.#source, body)
    this.#revision = change.revision
    for (const binding of change.changed) this.#bindings.set(binding.address, binding)
    this.#isDirty = false
  }
}
