import type { Imported } from '../../src/import/common/collector.ts'
import { mapText } from './map-text.ts'

export type Row = Readonly<Record<string, unknown>>
export type EverySetting = {
  what: string
  row: Row
  map(row: Row): Imported
  /** Ids, dates and measurements, and what this kind of item does not have. */
  own: readonly string[]
}

export const mapJson =
  (tool: string) =>
  (content: object): Imported =>
    mapText(tool, JSON.stringify(content))
