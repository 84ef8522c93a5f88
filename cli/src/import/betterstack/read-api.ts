import { ApiReader } from '../common/fetch-json.ts'
import { listOf, rowsOf, type SourceRow, textOf, toRow } from '../common/values.ts'
import { readStack, type StackData } from './read.ts'

export async function readStackApi(base: string, key: string): Promise<StackData> {
  const api = new ApiReader({ base, headers: { Authorization: `Bearer ${key}` } })
  const entries = [
    ...(await readAll(api, 'monitors?per_page=250')),
    ...(await readAll(api, 'heartbeats?per_page=250')),
  ]
  const pages = rowsOf(await readAll(api, 'status-pages?per_page=250'))
  for (const page of pages) {
    const id = encodeURIComponent(textOf(page, 'id'))
    for (const part of ['sections', 'resources', 'status-reports'])
      for (const entry of await readAll(api, `status-pages/${id}/${part}?per_page=250`))
        entries.push(ofPage(toRow(entry), textOf(page, 'id')))
  }
  return readStack('The API', { data: [...entries, ...pages] })
}

/** The parts of a page do not name it themselves. */
function ofPage(entry: SourceRow, pageId: string): SourceRow {
  return { ...entry, attributes: { ...toRow(entry['attributes']), status_page_id: pageId } }
}

async function readAll(api: ApiReader, first: string): Promise<unknown[]> {
  const all: unknown[] = []
  for (let path = first; path !== ''; ) {
    const answer = toRow(await api.get(path))
    all.push(...listOf(answer['data']))
    path = textOf(toRow(answer['pagination']), 'next')
  }
  return all
}
