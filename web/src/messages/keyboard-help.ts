import { area } from './area.ts'
import * as english from './en/keyboard-help.ts'

export const { keyboardHelpText } = area(english)
