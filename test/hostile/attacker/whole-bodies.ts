// Complete bodies, as large as any operation accepts, in the shapes that cost the most to parse and to validate.
import type { Attack, Run, Tally } from './grounds.ts'
import { inBursts, openHits } from './load.ts'

const BYTES = 2 * 1024 * 1024 - 1024

/** That many times, up to the largest size. */
const fill = (unit: (number: number) => string, separator = ','): string => {
  const units: string[] = []
  for (let length = 0, number = 0; length < BYTES; number++) {
    units.push(unit(number))
    length += (units.at(-1)?.length ?? 0) + separator.length
  }
  return units.slice(0, -1).join(separator)
}

const nested = (open: string, close: string): string => {
  const times = Math.floor(BYTES / (open.length + close.length))
  return open.repeat(times) + close.repeat(times)
}

const SHAPES: readonly string[] = [
  `{${fill((number) => `"${number}":1`)}}`,
  nested('[', ']'),
  nested('{"a":', '}').replace('}', '1}'),
  `[${fill(() => '{}')}]`,
  `{"name":[${fill(() => '0')}]}`,
  `{"requestHeaders":{${fill((number) => `"X-${number}":"1"`)}}}`,
  `{"name":"${fill(() => '\\u0000', '')}"}`,
  `{"sections":[${fill(() => '{"components":[]}')}]}`,
  `{"monitorIds":[${fill((number) => `"mon_${number}"`)}]}`,
]
const CSV = JSON.stringify({ csv: '\n'.repeat(1_000_000) })
const BINDING = `"id":null,"generation":1,"digest":"${'a'.repeat(64)}"`
const BINDINGS = `{"revision":0,"bindings":[${fill((number) => `{"address":"a.${number}",${BINDING}}`)}]}`

async function sendWhole({ grounds, endMs }: Run): Promise<Tally> {
  const hits = openHits(grounds, 'whole')
  const organization = `/organizations/${grounds.orgId}`
  const key = grounds.keys.at(-1) ?? ''
  const post = (path: string, json: string) => ({ method: 'POST', path, json })
  // By key, by the session of a member who may only read, and by the extension API.
  const ways: ((shape: string) => Promise<unknown>)[] = [
    (shape) => hits.byKey(post('/monitors', shape)),
    (shape) =>
      hits.bySession(
        grounds.readers.wholeBodies,
        post(`${organization}/status-page-drafts`, shape),
      ),
    (shape) => hits.byKey(post('/status-pages', shape)),
    (shape) => hits.byKey(post('/maintenance-windows', shape)),
    () =>
      hits.bySession(grounds.owners.imports, post(`${organization}/monitor-import-previews`, CSV)),
    () =>
      hits.bare({
        method: 'PUT',
        path: '/api/ext/v1/sources/whole/bindings',
        headers: { 'X-API-Key': key },
        json: BINDINGS,
      }),
  ]
  await inBursts({ size: 6, everyMs: 500, endMs }, async (number) => {
    const shape = SHAPES[Math.floor(number / ways.length) % SHAPES.length] ?? ''
    await ways[number % ways.length]?.(shape)
  })
  hits.close()
  return hits.tally
}

/** Each operation once: the first request to one compiles its schema. */
async function prepare(run: Run): Promise<void> {
  await sendWhole({ ...run, endMs: Date.now() + 500 })
}

export const wholeBodies: Attack = { prepare, attack: sendWhole }
