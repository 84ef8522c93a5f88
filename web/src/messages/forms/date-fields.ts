import { area } from '../area.ts'
import * as english from '../en/forms/date-fields.ts'

export const { dateFieldText } = area(english)
