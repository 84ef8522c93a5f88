import { ApiReader } from '../common/fetch-json.ts'
import { listOf, textOf, toRow } from '../common/values.ts'
import { type RobotData, readRobotJson } from './read.ts'

export async function readRobotApi(base: string, key: string): Promise<RobotData> {
  const api = new ApiReader({ base, headers: { Authorization: `Bearer ${key}` } })
  const json = {
    monitors: await readAll(api, 'monitors?limit=200'),
    maintenanceWindows: await readAll(api, 'maintenance-windows?limit=200'),
    psps: await readAll(api, 'psps?limit=200'),
  }
  return readRobotJson('The API', json)
}

/** Each answer has a link to the next. */
async function readAll(api: ApiReader, first: string): Promise<unknown[]> {
  const all: unknown[] = []
  for (let path = first; path !== ''; ) {
    const answer = toRow(await api.get(path))
    all.push(...listOf(answer['data']))
    path = textOf(answer, 'nextLink')
  }
  return all
}
