import { area } from '../area.ts'
import * as english from '../en/publishing/follow-tag.ts'

export const { followText } = area(english)
