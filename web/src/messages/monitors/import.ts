import { area } from '../area.ts'
import * as english from '../en/monitors/import.ts'
import type { FieldSentences } from '../field-problems.ts'
import { monitorFormText } from './monitor-form.ts'

const texts = area(english)
export const { importText } = texts
export const importSentences: FieldSentences = texts.importSentences
/** Of one row, by field. */
export const importRowSentences: FieldSentences = {
  ...monitorFormText.problems,
  ...texts.importRowSentences,
}
