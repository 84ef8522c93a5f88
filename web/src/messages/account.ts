import { area } from './area.ts'
import * as english from './en/account.ts'

export const { accountText } = area(english)
