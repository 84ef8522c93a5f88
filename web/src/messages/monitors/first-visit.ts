import { area } from '../area.ts'
import * as english from '../en/monitors/first-visit.ts'

export const { firstVisitText } = area(english)
