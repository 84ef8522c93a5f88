import { area } from './area.ts'
import * as english from './en/command-words.ts'
import type { MonitorAction } from './monitor-actions.ts'

/** What may be typed for an action; the first one is completed when it is chosen. */
export const commandWords: Record<MonitorAction, readonly string[]> = area(english).commandWords
