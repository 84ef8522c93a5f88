import { area } from '../area.ts'
import * as english from '../en/entry/no-access.ts'

export const { noAccessText } = area(english)
