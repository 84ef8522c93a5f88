import { area } from '../area.ts'
import * as english from '../en/entry/welcome.ts'

export const { welcomeText } = area(english)
