import { area } from './area.ts'
import * as english from './en/shell.ts'

export const { keyboardText, themeText, zoneText, navigationText, frameText } = area(english)
