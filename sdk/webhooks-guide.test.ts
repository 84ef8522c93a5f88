// Checks docs/webhooks.md: its programs are the tested ones, its tables and payloads match the contract.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { readOpenapi } from './make/schema.ts'
import { EVENT_TYPES, signWebhook } from './src/webhooks.ts'

const DOCS = new URL('../docs/', import.meta.url)
const SAMPLES = 'samples/webhooks/'
const guide = readFileSync(new URL('webhooks.md', DOCS), 'utf8')
const openapi = readOpenapi()

for (const name of readdirSync(new URL(SAMPLES, DOCS)))
  test(`${name} stands in the guide as it is`, () => {
    const block = new RegExp(
      `<!-- ${SAMPLES}${RegExp.escape(name)} -->\\n\`\`\`\\w+\\n(.*?)\`\`\`\\n`,
      's',
    )
    const [, embedded] = block.exec(guide) ?? []
    assert.equal(embedded, readFileSync(new URL(SAMPLES + name, DOCS), 'utf8'))
  })

test('the table of events has every type of the contract, in its order, with its data', () => {
  const section = guide.slice(guide.indexOf('\n## Events'), guide.indexOf('\n## When something'))
  const rows = [...section.matchAll(/^\| `([a-z_.]+)` \| .+ \| (.+) \|$/gm)]
  const dataOf = (text = '') => [...text.matchAll(/`(\w+)`/g)].map(([, name]) => name)
  assert.deepEqual(
    rows.map(([, type, data]) => [type, dataOf(data)]),
    Object.entries(openapi.webhooks).map(([type, { post }]) => {
      const { $ref = '' } = post.requestBody.content['application/json'].schema
      const schema = openapi.components.schemas[$ref.slice($ref.lastIndexOf('/') + 1)]
      return [type, Object.keys(schema?.properties?.['data']?.properties ?? {})]
    }),
  )
})

test('there is a payload of each kind, and each has the shape of its type', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })
  ajv.addSchema(openapi, 'openapi')
  const payloads = [...guide.matchAll(/```json\n(.*?)```/gs)].map(
    ([, text = '']) => JSON.parse(text) as { type: string },
  )
  const kindOf = (type: string) => type.slice(0, type.indexOf('.'))
  assert.deepEqual(
    new Set(payloads.map(({ type }) => kindOf(type))),
    new Set(EVENT_TYPES.map(kindOf)),
  )
  for (const payload of payloads) {
    const schema = `openapi#/webhooks/${payload.type}/post/requestBody/content/application~1json/schema`
    assert.ok(ajv.validate(schema, payload), `${payload.type}: ${ajv.errorsText()}`)
  }
})

test("the guide's vector is right", async () => {
  const cell = (name: string) =>
    new RegExp(`^\\| ${name} \\| \`(.+)\` \\|$`, 'm').exec(guide)?.[1] ?? ''
  const now = new Date(Number(cell('`webhook-timestamp`')) * 1000)
  const vector = { secret: cell('secret'), id: cell('`webhook-id`'), body: cell('body'), now }
  const headers = await signWebhook(vector)
  assert.equal(headers['webhook-signature'], cell('`webhook-signature`'))
})

test('every link of the guide leads somewhere', () => {
  const targets = [...guide.matchAll(/\]\(([^)]+)\)/g)].map(([, target = '']) => target)
  const headings = [...guide.matchAll(/^#+ (.+)$/gm)].map(([, text = '']) => anchorOf(text))
  assert.ok(targets.length > 10)
  for (const target of targets.filter((each) => !each.startsWith('https:'))) {
    const [path = '', anchor] = target.split('#')
    if (path === '') assert.ok(headings.includes(anchor ?? ''), target)
    else assert.ok(existsSync(new URL(path, DOCS)), target)
  }
})

function anchorOf(heading: string): string {
  return heading.toLowerCase().replaceAll(' ', '-')
}
