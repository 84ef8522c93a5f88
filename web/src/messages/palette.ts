import { area } from './area.ts'
import * as english from './en/palette.ts'

export const { paletteText } = area(english)
