import type { Static } from 'typebox'
import * as own from '../private/alerts/escalation.ts'
import { forKeys } from './operation.ts'

const tag = 'Escalation'

const TAG_ID = 'tag_01m7e43y1ne6a8002504v5j15s'
const STEPS = [
  { afterMinutes: 15, contactIds: ['act_01m7e43y1ne6a8002504v5j15s'] },
  { afterMinutes: 45, contactIds: ['act_01m7e3dhx0e008000mxrf1bnxa'] },
]
const POLICY: Static<typeof own.EscalationPolicy> = {
  id: TAG_ID,
  targetType: 'TAG',
  targetName: 'Production',
  steps: STEPS,
  updatedAt: '2026-11-14T22:39:00.000Z',
}

export const ESCALATION_OPERATIONS = [
  forKeys(own.listEscalationPolicies, {
    tag,
    summary: 'List escalation policies',
    description: 'Those of monitors and of tags, oldest first.',
    reply: {
      description: 'One page of policies.',
      example: { data: [POLICY], pagination: { limit: 25, offset: 0, total: 1 } },
    },
  }),
  forKeys(own.getEscalationPolicy, {
    tag,
    summary: 'Get an escalation policy',
    description: 'By the id of its monitor or tag.',
    reply: { description: 'The policy.', example: POLICY },
  }),
  forKeys(own.putEscalationPolicy, {
    tag,
    summary: 'Create or replace an escalation policy',
    description:
      'A policy of a monitor replaces those of its tags. It starts with the first alert to the contacts attached to the monitor: a contact of a step is alerted if nobody acknowledges the incident until then. 100 policies per organization.',
    example: { steps: STEPS },
    reply: { description: 'The policy.', example: POLICY },
  }),
  forKeys(own.deleteEscalationPolicy, {
    tag,
    summary: 'Delete an escalation policy',
    description: 'Steps of open outages that are not due yet are not sent.',
    reply: { description: 'The id of the monitor or tag.', example: { data: { id: TAG_ID } } },
  }),
] as const
