import { area } from '../area.ts'
import * as english from '../en/forms/field.ts'

export const { fieldText } = area(english)
