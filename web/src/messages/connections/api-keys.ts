import { area } from '../area.ts'
import * as english from '../en/connections/api-keys.ts'
import type { FieldSentences } from '../field-problems.ts'

const texts = area(english)
export const { keysText, keyFormText, newKeyText, replaceKeyText } = texts
export const keySentences: FieldSentences = texts.keySentences
