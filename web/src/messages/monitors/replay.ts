import { area } from '../area.ts'
import * as english from '../en/monitors/replay.ts'

export const { replayText } = area(english)
