import { area } from '../area.ts'
import * as english from '../en/entry/auth.ts'

export const { authText } = area(english)
