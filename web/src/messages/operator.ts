import { area } from './area.ts'
import * as english from './en/operator.ts'

export const { operatorText } = area(english)
