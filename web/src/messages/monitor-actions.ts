import { area } from './area.ts'
import * as english from './en/monitor-actions.ts'

export type MonitorAction = keyof typeof english.monitorActionsText.menu

export const { monitorActionsText, selectingText } = area(english)
