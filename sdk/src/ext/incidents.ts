// Made from openapi-ext.json by sdk/make-sdk.ts. Edit the contract and make it again, not this file.
import type { Call } from '../client/call.ts'
import type { CallOptions } from '../client/options.ts'

export type EvidenceFile = {
  /** A name for the file. */
  name: string
  /** Short name of the key that signed it. */
  keyId: string
  /** The file. Save it exactly as it is, in UTF-8: a changed byte invalidates it. */
  text: string
}

export type Incidents = {
  /** Get an incident as a signed file. */
  evidenceFile(id: string, options?: CallOptions): Call<EvidenceFile>
}
