import { MAX_ESCALATION_STEPS } from '../../../../src/domain/alerts/escalation.ts'
import { area } from '../area.ts'
import * as english from '../en/connections/escalation.ts'
import type { FieldSentences } from '../field-problems.ts'

const texts = area(english)
export const { escalationText, escalationFormText } = texts
const { stepSentences } = texts

/** By the place of the step. */
export const escalationSentences: FieldSentences = Object.fromEntries(
  Array.from({ length: MAX_ESCALATION_STEPS }, (_, at) => [
    [`steps.${at}.afterMinutes`, stepSentences.afterMinutes],
    [`steps.${at}.contactIds`, stepSentences.contactIds],
  ]).flat(),
)
