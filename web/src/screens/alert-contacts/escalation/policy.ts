import type { InputOf, ItemOf } from '../../../api/contract.ts'

export type PolicyView = ItemOf<'GET /escalation-policies'>

/** A step as it is edited. */
export type StepDraft = { key: number; afterMinutes: string; contactIds: readonly string[] }

const GAP_MINUTES = 15

/** New ones follow the last by 15 minutes. */
export function addStep(steps: readonly StepDraft[]): StepDraft[] {
  const last = Number(steps.at(-1)?.afterMinutes ?? 0)
  const key = Math.max(-1, ...steps.map((step) => step.key)) + 1
  const afterMinutes = String((Number.isFinite(last) ? last : 0) + GAP_MINUTES)
  return [...steps, { key, afterMinutes, contactIds: [] }]
}

export function draftOf(policy: PolicyView | undefined): StepDraft[] {
  if (policy === undefined) return addStep([])
  return policy.steps.map(({ afterMinutes, contactIds }, key) => ({
    key,
    afterMinutes: String(afterMinutes),
    contactIds,
  }))
}

export function bodyOf(
  steps: readonly StepDraft[],
): InputOf<'PUT /escalation-policies/{targetId}'>['body'] {
  return {
    steps: steps.map(({ afterMinutes, contactIds }) => ({
      afterMinutes: Number(afterMinutes),
      contactIds: [...contactIds],
    })),
  }
}

/** A contact is in one step: those of the others are not offered. */
export function isOffered(steps: readonly StepDraft[], own: StepDraft, contactId: string): boolean {
  return steps.every(({ key, contactIds }) => key === own.key || !contactIds.includes(contactId))
}
