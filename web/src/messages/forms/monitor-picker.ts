import { area } from '../area.ts'
import * as english from '../en/forms/monitor-picker.ts'

export const { monitorPickerText } = area(english)
