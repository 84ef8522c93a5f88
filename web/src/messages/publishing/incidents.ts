import { area } from '../area.ts'
import * as english from '../en/publishing/incidents.ts'
import type { FieldSentences } from '../field-problems.ts'

const texts = area(english)
export const {
  publishedLabels,
  publishText,
  publishPartsText,
  publishedText,
  nextUpdateText,
  postMortemText,
} = texts
export const postMortemSentences: FieldSentences = texts.postMortemSentences
export const incidentSentences: FieldSentences = texts.incidentSentences
