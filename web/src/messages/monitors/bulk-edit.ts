import { area } from '../area.ts'
import * as english from '../en/monitors/bulk-edit.ts'

export const { bulkEditText } = area(english)
