import { area } from '../area.ts'
import * as english from '../en/publishing/status-page-editor.ts'
import type { FieldSentences } from '../field-problems.ts'

const texts = area(english)
export const {
  editorText,
  pageFieldsText,
  pageAddressText,
  pageAccessText,
  ledgerText,
  embedText,
  structureText,
  pageFactsText,
} = texts
export const pageSentences: FieldSentences = texts.pageSentences
