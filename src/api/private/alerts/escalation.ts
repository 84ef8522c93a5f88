import { putEscalation } from '../../../actions/alerts/put-escalation.ts'
import * as contract from '../../../contract/private/alerts/escalation.ts'
import {
  type EscalationPolicy,
  type EscalationStep,
  stepsProblems,
  toApiPolicy,
  toTarget,
} from '../../../domain/alerts/escalation.ts'
import type { AuditedFields } from '../../../domain/people/audit-entry.ts'
import { fromPublicId } from '../../../domain/values/id.ts'
import type { Problem } from '../../../domain/values/problem.ts'
import { notFound, validationError } from '../../../platform/api-error.ts'
import * as escalation from '../../../store/alerts/escalation.ts'
import { compared, counted, plain } from '../../http/audited.ts'
import { type BoundOperation, bind, type Handler } from '../../http/bind.ts'

const list: Handler<typeof contract.listEscalationPolicies> = async ({ query }, { tenant }) => {
  const policies = await escalation.listPolicies(tenant, query)
  const total = await escalation.countPolicies(tenant)
  return { data: policies.map(toApiPolicy), pagination: { ...query, total } }
}

const get: Handler<typeof contract.getEscalationPolicy> = async ({ params }, { tenant }) => {
  const target = toTarget(params.targetId)
  const policy = target && (await escalation.findPolicy(tenant, target))
  if (!policy) throw notFound('escalation policy')
  return toApiPolicy(policy)
}

const put: Handler<typeof contract.putEscalationPolicy> = async ({ params, body }, { tx }) => {
  const target = toTarget(params.targetId)
  if (target === undefined) throw notFound('monitor or tag')
  const change = await putEscalation(tx, target, body.steps.map(toStep))
  return compared(toApiPolicy(change.after), change, policyFields)
}

const remove: Handler<typeof contract.deleteEscalationPolicy> = async ({ params }, { tx }) => {
  const target = toTarget(params.targetId)
  if (target === undefined || !(await escalation.deletePolicy(tx, target)))
    throw notFound('escalation policy')
  return { data: { id: params.targetId } }
}

export const escalationOperations: readonly BoundOperation[] = [
  bind(contract.listEscalationPolicies, list),
  bind(contract.getEscalationPolicy, get),
  bind(contract.putEscalationPolicy, put, { rules: stepRules }),
  bind(contract.deleteEscalationPolicy, remove),
]

type StepInput = { afterMinutes: number; contactIds: readonly string[] }

function toStep({ afterMinutes, contactIds }: StepInput, step: number) {
  const contactUuids = contactIds.map((id, at) => {
    const uuid = fromPublicId('act', id)
    if (uuid !== undefined) return uuid
    const path = `steps.${step}.contactIds.${at}`
    throw validationError([{ path, message: 'must be an alert contact that exists' }])
  })
  return { afterMinutes, contactUuids }
}

function stepRules({ steps }: Record<string, unknown>): Problem[] {
  // Safe because a list that is invalid on its own is missing here.
  return Array.isArray(steps) ? stepsProblems(steps as StepInput[]) : []
}

function policyFields(policy: EscalationPolicy | undefined): AuditedFields {
  const steps = policy?.steps
  return { steps: steps ? { value: steps, shown: steps.map(stepText).join('; ') } : plain(null) }
}

const stepText = ({ afterMinutes, contactUuids }: EscalationStep): string =>
  `after ${afterMinutes} min ${counted(contactUuids, 'contact').shown}`
