// Reads and maps the text of a file, as the command does.
import { mapStack } from '../../src/import/betterstack/map.ts'
import { readStack } from '../../src/import/betterstack/read.ts'
import type { Imported } from '../../src/import/common/collector.ts'
import { readCsv } from '../../src/import/common/csv.ts'
import { parseJson } from '../../src/import/common/input.ts'
import { mapCsv } from '../../src/import/csv/map.ts'
import { mapGatus } from '../../src/import/gatus/map.ts'
import { readGatus } from '../../src/import/gatus/read.ts'
import { mapHealthchecks, readHealthchecks } from '../../src/import/healthchecks/map.ts'
import { mapStatuspage, readStatuspage } from '../../src/import/statuspage/map.ts'
import { mapKuma } from '../../src/import/uptime-kuma/map.ts'
import { readKumaBackup } from '../../src/import/uptime-kuma/read-backup.ts'
import { mapRobot } from '../../src/import/uptimerobot/map.ts'
import { readRobotJson } from '../../src/import/uptimerobot/read.ts'
import { OPTIONS } from './imported.ts'

const NAME = 'the file'
const json = (text: string): unknown => parseJson(NAME, text)

const MAPS: Readonly<Record<string, (text: string) => Imported>> = {
  'uptime-kuma': (text) => mapKuma(readKumaBackup(NAME, json(text)), OPTIONS),
  uptimerobot: (text) => mapRobot(readRobotJson(NAME, json(text)), OPTIONS),
  betterstack: (text) => mapStack(readStack(NAME, json(text)), OPTIONS),
  statuspage: (text) => mapStatuspage(readStatuspage(NAME, json(text)), OPTIONS),
  healthchecks: (text) => mapHealthchecks(readHealthchecks(NAME, json(text))),
  gatus: (text) => mapGatus(readGatus(NAME, text), OPTIONS),
  csv: (text) => mapCsv(readCsv(NAME, text)),
}

export function mapText(tool: string, text: string): Imported {
  const map = MAPS[tool]
  if (map === undefined) throw new Error(`There is no importer ${tool}`)
  return map(text)
}
