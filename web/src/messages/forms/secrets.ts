import { area } from '../area.ts'
import * as english from '../en/forms/secrets.ts'

export const { secretText } = area(english)
