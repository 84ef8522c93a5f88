import { area } from '../area.ts'
import * as english from '../en/connections/opsgenie.ts'
import type { FieldSentences } from '../field-problems.ts'

const texts = area(english)
export const { opsgenieText } = texts
export const opsgenieSentences: FieldSentences = texts.opsgenieSentences
