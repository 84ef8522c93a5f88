import { CODES } from '../../../src/domain/monitors/day-bars.ts'
import type { BarCell } from '../ui/bars.tsx'

const CELL_OF = new Map(Object.entries(CODES).map(([state, code]) => [code, state as BarCell]))

/** The cells of a bar, from one character per hour or day. */
export function toBarCells(codes: string): BarCell[] {
  return [...codes].map((code) => CELL_OF.get(code) ?? 'NONE')
}
