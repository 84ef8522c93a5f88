import { area } from './area.ts'
import * as english from './en/team.ts'

export const { teamText } = area(english)
