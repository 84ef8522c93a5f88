import { area } from './area.ts'
import * as english from './en/notifications.ts'

export const { notificationsText } = area(english)
