import type { CauseCode } from '../../../src/domain/incidents/incident.ts'
import { area } from './area.ts'
import * as english from './en/incidents.ts'

const texts = area(english)
export const { incidentsText, incidentText } = texts

/** Plain names of failure causes, for filters. */
export const CAUSE_LABELS: Record<CauseCode, string> = texts.CAUSE_LABELS
