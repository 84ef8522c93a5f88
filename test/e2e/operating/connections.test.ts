// The documents say how many database connections a process may open. They must match the pools in the code.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { startStack } from '../../../tools/stack.ts'
import { readSamples } from '../../kit/read-metrics.ts'

const DOCS = join(import.meta.dirname, '../../../docs')
const DOCUMENT = readFileSync(join(DOCS, 'scaling.md'), 'utf8')
const TROUBLESHOOTING = readFileSync(join(DOCS, 'operating/troubleshooting.md'), 'utf8')
const API_CONNECTIONS = 20

// With NATS and a mail relay, so that every pool exists.
const stack = await startStack({
  env: { SMTP_URL: 'smtp://127.0.0.1:1?tls=off', SMTP_FROM: 'upvane@upvane.example' },
})
after(() => stack.stop())
const service = await stack.start('start')

const POOL = /^upvane_database_(\w+)_connections$/

async function poolsOf(): Promise<Map<string, number>> {
  const most = (await readSamples(service)).filter(({ labels }) => labels['state'] === 'max')
  return new Map(
    most.flatMap(({ name, value }) => {
      const pool = POOL.exec(name)?.[1]
      return pool === undefined ? [] : [[pool, value]]
    }),
  )
}

/** Parses `| \`a\`, \`b\` | 2, 1 | …`; the API's own number is the setting's default. */
function documented(): Map<string, number> {
  const table = DOCUMENT.slice(DOCUMENT.indexOf('| pool | connections |'))
  const rows = table.slice(0, table.indexOf('\n\n')).split('\n').slice(2)
  return new Map(
    rows.flatMap((row) => {
      const [, pools = '', numbers = ''] = row.split('|')
      const names = [...pools.matchAll(/`(\w+)`/g)].map(([, name = '']) => name)
      const counts = [...numbers.matchAll(/\b\d+\b/g)].map(Number)
      return names.map((name, i): [string, number] => [name, counts[i] ?? Number.NaN])
    }),
  )
}

test('the table of pools is what a process with every role opens', async () => {
  const [inCode, inDocument] = [await poolsOf(), documented()]
  assert.deepEqual([...inDocument].toSorted(), [...inCode].toSorted())
})

test('the sums in the text are those of the pools', async () => {
  const sum = [...(await poolsOf()).values()].reduce((total, most) => total + most, 0)
  const stated = /`DATABASE_CONNECTIONS` \+ (\d+)/.exec(DOCUMENT)?.[1]
  assert.equal(Number(stated), sum - API_CONNECTIONS)
  const ofTwo = /two such processes need (\d+)/.exec(DOCUMENT)?.[1]
  assert.equal(Number(ofTwo), 2 * sum)
  const inGuide = /`DATABASE_CONNECTIONS` plus (\d+)/.exec(TROUBLESHOOTING)?.[1]
  assert.equal(inGuide, stated)
})
