import { area } from './area.ts'
import * as english from './en/silent.ts'

export const { silentText } = area(english)
