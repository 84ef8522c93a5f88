import { area } from '../area.ts'
import * as english from '../en/monitors/monitor-form.ts'

export const { monitorFormText } = area(english)
