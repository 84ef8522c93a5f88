import { area } from '../area.ts'
import * as english from '../en/monitors/names.ts'
import type { FieldSentences } from '../field-problems.ts'

const texts = area(english)
export const { namesText, tagsText, viewsText } = texts
export const nameSentences: FieldSentences = texts.nameSentences
