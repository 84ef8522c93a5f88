// Made from openapi.json by sdk/make-sdk.ts. Edit the contract and make it again, not this file.
import type { Call } from '../client/call.ts'
import type { List } from '../client/list.ts'
import type { CallOptions, WriteOptions } from '../client/options.ts'
import type {
  AffectedComponentState,
  StatusIncident,
  StatusIncidentImpact,
  StatusIncidentStatus,
} from '../event-shapes.ts'
import type { Deleted } from './shared.ts'

export type AffectedComponentInput = {
  /** Id of a component on one of the pages. */
  componentId: string
  /** State visitors see for it. */
  state: AffectedComponentState
}

export type StatusIncidentInput = {
  /** Headline of the incident. */
  title: string
  /** Stage of the incident. Default: `INVESTIGATING`. */
  status?: StatusIncidentStatus
  /** How severe it is for visitors. Default: `MINOR`. */
  impact?: StatusIncidentImpact
  /** Status pages that show it. Left out on create: all pages. */
  statusPageIds?: string[]
  /** What visitors see for each affected component. Default: `[]`. */
  components?: AffectedComponentInput[]
  /** Detected incident it belongs to. */
  incidentId?: string | null
  /** When it began. Left out on create: now. At most 60 seconds ahead. */
  startedAt?: string | Date
  /** When it was resolved. Left out with RESOLVED: now. */
  resolvedAt?: string | Date | null
  /** What visitors read. A subset of Markdown. Becomes the first update. */
  message?: string
  /** Whether subscribers of the pages are notified. Default: `true`. */
  notifySubscribers?: boolean
}

export type StatusIncidentPatch = {
  /** Headline of the incident. */
  title?: string
  /** Stage of the incident. */
  status?: StatusIncidentStatus
  /** How severe it is for visitors. */
  impact?: StatusIncidentImpact
  /** Status pages that show it. Left out on create: all pages. */
  statusPageIds?: string[]
  /** What visitors see for each affected component. */
  components?: AffectedComponentInput[]
  /** Detected incident it belongs to. */
  incidentId?: string | null
  /** When it began. Left out on create: now. At most 60 seconds ahead. */
  startedAt?: string | Date
  /** When it was resolved. Left out with RESOLVED: now. */
  resolvedAt?: string | Date | null
}

export type StatusIncidentUpdateInput = {
  /** What visitors read. A subset of Markdown. */
  message: string
  /** New status. Left out: it stays. */
  status?: StatusIncidentStatus
  /** Replaces the states of the components. Left out: they stay. */
  components?: AffectedComponentInput[]
  /** Whether subscribers of the pages are notified. Default: `true`. */
  notifySubscribers?: boolean
  /** When it was posted, if earlier than now. */
  createdAt?: string | Date
}

export type StatusIncidentsQuery = {
  /** Only incidents in these statuses. */
  status?: StatusIncidentStatus | readonly StatusIncidentStatus[]
  /** Only incidents shown on this status page. */
  statusPageId?: string
}

export type StatusIncidents = {
  /** List published incidents. */
  list(query?: StatusIncidentsQuery, options?: CallOptions): List<StatusIncident>
  /** Publish an incident. */
  create(input: StatusIncidentInput, options?: WriteOptions): Call<StatusIncident>
  /** Get a published incident. */
  get(id: string, options?: CallOptions): Call<StatusIncident>
  /** Edit a published incident. */
  update(id: string, changes: StatusIncidentPatch, options?: WriteOptions): Call<StatusIncident>
  /** Delete a published incident. */
  delete(id: string, options?: WriteOptions): Call<Deleted>
  /** Post an incident update. */
  addUpdate(
    id: string,
    input: StatusIncidentUpdateInput,
    options?: WriteOptions,
  ): Call<StatusIncident>
}
