import { area } from '../area.ts'
import * as english from '../en/entry/not-found.ts'

export const { notFoundText } = area(english)
