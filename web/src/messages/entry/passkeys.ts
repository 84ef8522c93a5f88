import { area } from '../area.ts'
import * as english from '../en/entry/passkeys.ts'

export const { passkeysText } = area(english)
