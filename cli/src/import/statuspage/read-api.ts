import { ApiReader } from '../common/fetch-json.ts'
import { listOf } from '../common/values.ts'
import { readStatuspage, type StatuspageData } from './map.ts'

const PAGE_SIZE = 100

export async function readStatuspageApi(
  base: string,
  key: string,
  pageId: string,
): Promise<StatuspageData> {
  const api = new ApiReader({ base, headers: { Authorization: `OAuth ${key}` } })
  const path = `pages/${encodeURIComponent(pageId)}`
  return readStatuspage('The API', {
    page: await api.get(path),
    components: await readAll(api, `${path}/components?per_page=${PAGE_SIZE}`),
    component_groups: await readAll(api, `${path}/component-groups?per_page=${PAGE_SIZE}`),
    incidents: await readAll(api, `${path}/incidents?limit=${PAGE_SIZE}`),
  })
}

async function readAll(api: ApiReader, path: string): Promise<unknown[]> {
  const all: unknown[] = []
  for (let page = 1; ; page += 1) {
    const answer = listOf(await api.get(`${path}&page=${page}`))
    all.push(...answer)
    if (answer.length < PAGE_SIZE) return all
  }
}
