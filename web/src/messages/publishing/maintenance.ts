import { area } from '../area.ts'
import * as english from '../en/publishing/maintenance.ts'
import type { FieldSentences } from '../field-problems.ts'

const texts = area(english)
export const { maintenanceText, recurrenceText, windowFormText } = texts
export const windowSentences: FieldSentences = texts.windowSentences
