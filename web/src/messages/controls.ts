import { area } from './area.ts'
import * as english from './en/controls.ts'

export const { controlsText } = area(english)
