import { area } from './area.ts'
import * as english from './en/errors.ts'

export const { errorText } = area(english)
