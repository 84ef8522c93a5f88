// Who is alerted if nobody acknowledges an outage in time.
import {
  MAX_AFTER_MINUTES,
  MAX_ESCALATION_STEPS,
  MAX_STEP_CONTACTS,
} from '../../../domain/alerts/escalation.ts'
import { closed, Deleted, input, oneOf, PAGE_QUERY, page, time } from '../../schema.ts'
import { Type } from '../../type.ts'
import { privateOperation } from '../operation.ts'

const TargetParams = Type.Object({
  targetId: Type.String({ description: 'Id of a monitor or of a tag.' }),
})
const PATH = '/escalation-policies'
const TARGET_PATH = `${PATH}/{targetId}` as const

const ABOUT = {
  afterMinutes:
    'Minutes without an acknowledgement after which these contacts are alerted, counted from the outage.',
  contactIds: 'The contacts of this step. Each contact is in one step.',
  steps: 'In order: each step is later than the one before.',
}

export const EscalationStep = closed({
  afterMinutes: Type.Integer({ description: ABOUT.afterMinutes }),
  contactIds: Type.Array(Type.String(), { description: ABOUT.contactIds }),
})
export const EscalationPolicy = closed({
  id: Type.String({ description: 'Id of the monitor or tag it belongs to, which has one policy.' }),
  targetType: oneOf(['MONITOR', 'TAG'] as const, { description: 'What it belongs to.' }),
  targetName: Type.String({ description: 'Name of the monitor or tag.' }),
  steps: Type.Array(EscalationStep, { description: ABOUT.steps }),
  updatedAt: time({ description: 'When it was last changed.' }),
})
export const EscalationPolicyList = page(EscalationPolicy)

export const EscalationStepInput = input({
  afterMinutes: Type.Integer({
    minimum: 1,
    maximum: MAX_AFTER_MINUTES,
    description: ABOUT.afterMinutes,
  }),
  contactIds: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
    minItems: 1,
    maxItems: MAX_STEP_CONTACTS,
    description: ABOUT.contactIds,
  }),
})
export const EscalationPolicyInput = input({
  steps: Type.Array(EscalationStepInput, {
    minItems: 1,
    maxItems: MAX_ESCALATION_STEPS,
    description: ABOUT.steps,
  }),
})

export const listEscalationPolicies = privateOperation({
  id: 'listEscalationPolicies',
  method: 'GET',
  path: PATH,
  who: 'READ_ONLY',
  query: input(PAGE_QUERY),
  reply: { status: 200, body: EscalationPolicyList },
})

export const getEscalationPolicy = privateOperation({
  id: 'getEscalationPolicy',
  method: 'GET',
  path: TARGET_PATH,
  who: 'READ_ONLY',
  params: TargetParams,
  reply: { status: 200, body: EscalationPolicy },
})

/** Creates it or replaces the one that is there. */
export const putEscalationPolicy = privateOperation({
  id: 'putEscalationPolicy',
  method: 'PUT',
  path: TARGET_PATH,
  who: 'ADMIN',
  needsSubscription: true,
  params: TargetParams,
  body: { schema: EscalationPolicyInput, required: true },
  reply: { status: 200, body: EscalationPolicy },
})

export const deleteEscalationPolicy = privateOperation({
  id: 'deleteEscalationPolicy',
  method: 'DELETE',
  path: TARGET_PATH,
  who: 'ADMIN',
  params: TargetParams,
  reply: { status: 200, body: Deleted },
})

export const ESCALATION_OPERATIONS = [
  listEscalationPolicies,
  getEscalationPolicy,
  putEscalationPolicy,
  deleteEscalationPolicy,
] as const
