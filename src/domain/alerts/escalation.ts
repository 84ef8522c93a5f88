// Escalation: contacts who are alerted later, while nobody has acknowledged the outage. Nothing runs in between: from
// the policy, the time of the outage and what was sent, the planner decides at any moment which steps are due.
import { fromPublicId, type IdPrefix, toPublicId } from '../values/id.ts'
import type { Problem } from '../values/problem.ts'
import type { AlertCondition, Contact, EscalatedContact } from './model.ts'

export type EscalationTarget = { kind: 'MONITOR' | 'TAG'; uuid: string }
export type EscalationStep = { afterMinutes: number; contactUuids: readonly string[] }
export type EscalationPolicy = {
  target: EscalationTarget & { name: string }
  steps: readonly EscalationStep[]
  updatedAt: Date
}

export const MAX_ESCALATION_STEPS = 10
export const MAX_STEP_CONTACTS = 20
export const MAX_AFTER_MINUTES = 1440
/** Per organization. */
export const MAX_ESCALATION_POLICIES = 100

/**
 * The step that brings a condition to a contact. Undefined if it has none, if the contact is alerted from the
 * beginning anyway, or if someone acknowledged the outage.
 */
export function escalationOf(
  { uuid }: Contact,
  { acknowledgedAt, contactUuids, escalation }: AlertCondition,
): EscalatedContact | undefined {
  if (acknowledgedAt !== null || contactUuids.includes(uuid)) return undefined
  return escalation.find(({ contactUuid }) => contactUuid === uuid)
}

/**
 * Minutes after which a contact is alerted of a condition; undefined if it is not. A contact's own delay also holds for
 * its step: without alerts in the first ten minutes, it gets none by a step either.
 */
export function delayMinutesOf(contact: Contact, condition: AlertCondition): number | undefined {
  const { delayMinutes } = contact.rules
  if (condition.contactUuids.includes(contact.uuid)) return delayMinutes
  const step = escalationOf(contact, condition)
  return step && Math.max(step.afterMinutes, delayMinutes)
}

type StepInput = { afterMinutes: number; contactIds: readonly string[] }

/** Steps are in order, and each contact is in one of them. */
export function stepsProblems(steps: readonly StepInput[]): Problem[] {
  const seen = new Set<string>()
  return steps.flatMap(({ afterMinutes, contactIds }, at) => {
    const before = steps[at - 1]?.afterMinutes ?? 0
    const late = {
      path: `steps.${at}.afterMinutes`,
      message: 'must be more than in the step before',
    }
    const repeated = contactIds.flatMap((id, position) => {
      const isSeen = seen.has(id)
      seen.add(id)
      const path = `steps.${at}.contactIds.${position}`
      return isSeen ? [{ path, message: 'must be in one step only' }] : []
    })
    return [...(afterMinutes > before ? [] : [late]), ...repeated]
  })
}

const PREFIXES: Record<EscalationTarget['kind'], IdPrefix> = { MONITOR: 'mon', TAG: 'tag' }

/** The monitor or tag with this public id. Undefined for an id of anything else. */
export function toTarget(id: string): EscalationTarget | undefined {
  const monitor = fromPublicId('mon', id)
  if (monitor !== undefined) return { kind: 'MONITOR', uuid: monitor }
  const tag = fromPublicId('tag', id)
  return tag === undefined ? undefined : { kind: 'TAG', uuid: tag }
}

export function toApiPolicy({ target, steps, updatedAt }: EscalationPolicy) {
  const { kind, uuid, name } = target
  return {
    id: toPublicId(PREFIXES[kind], uuid),
    targetType: kind,
    targetName: name,
    steps: steps.map(({ afterMinutes, contactUuids }) => ({
      afterMinutes,
      contactIds: contactUuids.map((contact) => toPublicId('act', contact)),
    })),
    updatedAt,
  }
}
