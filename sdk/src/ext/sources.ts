// Made from openapi-ext.json by sdk/make-sdk.ts. Edit the contract and make it again, not this file.
import type { Deleted } from '../api/shared.ts'
import type { Call } from '../client/call.ts'
import type { CallOptions, WriteOptions } from '../client/options.ts'

export type Binding = {
  /** Its place in the source, such as `monitors.checkout`. */
  address: string
  /** Id of the resource. Null if it does not exist yet, or was deleted on purpose. */
  id: string | null
  /** Grows each time the resource is to be created again. Make it part of the idempotency key of the create. */
  generation: number
  /** A salted digest of secrets that cannot be read back. Null for read-only keys. */
  digest: string | null
}

export type BindingDetail = {
  /** Its place in the source, such as `monitors.checkout`. */
  address: string
  /** Id of the resource. Null if it does not exist yet, or was deleted on purpose. */
  id: string | null
  /** Grows each time the resource is to be created again. Make it part of the idempotency key of the create. */
  generation: number
  /** A salted digest of secrets that cannot be read back. Null for read-only keys. */
  digest: string | null
  /** Who last changed the resource, whether by the file or not. Null for read-only keys, and if it is not among the latest 10,000 entries of the audit log. */
  lastChange: LastChange | null
}

export type BindingInput = {
  /** Its place in the source, such as `monitors.checkout`. Visible ASCII characters. */
  address: string
  /** Id of the resource. Null if it does not exist yet, or was deleted on purpose. A monitor, alert contact, tag, status page, maintenance window or webhook endpoint. */
  id?: string | null
  /** Left out, it is kept; a new address, and one whose id becomes null, gets a new one. */
  generation?: number
  /** Left out, it is kept. Null deletes it. Visible ASCII characters. */
  digest?: string | null
}

export type LastChange = {
  /** When it was changed. */
  at: string
  /** Name of the person or key that changed it. */
  by: string
}

export type SourceBindings = {
  /** Name of the source. */
  source: string
  /** Grows with every change. 0 before the first. */
  revision: number
  /** When it was last changed. Null before the first change. */
  updatedAt: string | null
  /** All bindings, by address. */
  bindings: BindingDetail[]
  /** Names of the other sources of the organization. */
  otherSources: string[]
}

export type SourceBindingsInput = {
  /** The revision you have read. 409 `conflict` if it has moved since. */
  revision: number
  /** All bindings. One that you leave out is removed; its resource stays. */
  bindings: BindingInput[]
}

export type SourceChange = {
  /** Name of the source. */
  source: string
  /** The new revision. */
  revision: number
  /** When it was changed. */
  updatedAt: string
  /** Bindings that are new or differ, by address. If there are more than 100, only those that got a generation now, without digests. */
  changed: Binding[]
  /** How many bindings are gone. */
  removed: number
}

export type Sources = {
  /** Get the bindings of a source. */
  bindings(source: string, options?: CallOptions): Call<SourceBindings>
  /** Replace the bindings of a source. */
  putBindings(
    source: string,
    input: SourceBindingsInput,
    options?: WriteOptions,
  ): Call<SourceChange>
  /** Delete a source. */
  delete(source: string, options?: WriteOptions): Call<Deleted>
}
