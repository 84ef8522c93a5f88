// The text of an alert about a failing webhook endpoint: before it is disabled, and after.
import type { EndpointFate } from '../../events/delivery-outcome.ts'
import { toPublicId } from '../../values/id.ts'
import type { AlertCondition } from '../model.ts'
import type { AlertSubject } from '../text.ts'

type FailingEndpoint = {
  uuid: string
  url: string
  description: string | null
  what: EndpointFate
  /** The error of the last attempt; null if unknown. */
  error: string | null
}

// biome-ignore format: a table is read by its columns
const MESSAGES: Record<EndpointFate, { phrase: string; summary: string }> = {
  WARNED:   { phrase: 'is failing',   summary: 'Every delivery has failed for a day. After five days the endpoint is disabled.' },
  DISABLED: { phrase: 'was disabled', summary: 'Every delivery failed for five days. No events are kept for it until someone enables it.' },
  GONE:     { phrase: 'was disabled', summary: 'It responded with HTTP 410 (gone). No events are kept for it until someone enables it.' },
}

export function toEndpointSubject({
  uuid,
  url,
  description,
  what,
  error,
}: FailingEndpoint): AlertSubject {
  const { origin, host } = new URL(url)
  const name = description?.replace(/\s+/g, ' ').trim() || host
  const { phrase, summary } = MESSAGES[what]
  return {
    monitorId: toPublicId('whe', uuid),
    name,
    // The rest of the URL is often a secret, and an alert leaves the organization.
    address: origin,
    cause: error ?? 'Every delivery failed',
    said: { title: `Webhook endpoint ${name} ${phrase}`, summary },
  }
}

/** A failing endpoint without alert contacts is reported to the owners. A monitor without contacts notifies no one. */
export const isForOwners = ({ kind, endedAt, contactUuids }: AlertCondition): boolean =>
  kind === 'WEBHOOK_FAILING' && endedAt === null && contactUuids.length === 0
