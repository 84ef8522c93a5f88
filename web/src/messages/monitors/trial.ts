import { area } from '../area.ts'
import * as english from '../en/monitors/trial.ts'

export const { trialText } = area(english)
