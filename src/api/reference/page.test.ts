import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EXT_API } from '../../contract/ext/openapi.ts'
import { EXT_OPERATIONS } from '../../contract/ext/operations.ts'
import { ERROR_CODES } from '../../contract/public/errors.ts'
import { createOpenapi } from '../../contract/public/openapi.ts'
import { OPERATIONS } from '../../contract/public/operations.ts'
import { EVENT_TYPES } from '../../domain/events/event.ts'
import { curl, entriesOf } from './operation.ts'
import { renderDocs as piecesOf } from './page.ts'
import { FONT_PATH } from './style.ts'
import { highlightJson } from './text.ts'

const document = createOpenapi(OPERATIONS)
const html = renderDocs(document)

function renderDocs(...of: Parameters<typeof piecesOf>): string {
  const pieces = piecesOf(...of)
  let piece = pieces.next()
  while (!piece.done) piece = pieces.next()
  return piece.value
}

test('The reference has every operation, linked from the contents', () => {
  for (const { id } of OPERATIONS) {
    assert.ok(html.includes(`<section class="op" id="${id}">`), id)
    assert.ok(html.includes(`<li><a href="#${id}">`), id)
  }
})

test('The reference shows only what is in the document', () => {
  const first = renderDocs(createOpenapi(OPERATIONS.slice(0, 1)))
  assert.ok(first.includes('id="listMonitors"'))
  assert.ok(!first.includes('createMonitor'))
  assert.ok(!first.includes('Webhook'))
})

test('Every id is there once, and every link inside the page leads somewhere', () => {
  const ids = [...html.matchAll(/ id="([^"]+)"/g)].map((match) => match[1])
  assert.equal(new Set(ids).size, ids.length)
  for (const [, target = ''] of html.matchAll(/href="#([^"]+)"/g))
    assert.ok(ids.includes(target), target)
})

test('The extension API has its own part, with every operation once', () => {
  const subject = { subject: EXT_API }
  const both = renderDocs(document, createOpenapi(EXT_OPERATIONS, subject))
  assert.ok(both.includes('id="extension-api"'))
  for (const { id } of EXT_OPERATIONS)
    assert.ok(both.includes(`<section class="op" id="${id}">`), id)
  const ids = [...both.matchAll(/ id="([^"]+)"/g)].map((match) => match[1])
  assert.equal(new Set(ids).size, ids.length)
  for (const [, target = ''] of both.matchAll(/href="#([^"]+)"/g))
    assert.ok(ids.includes(target), target)
  assert.ok(!/<script|<link|<img/i.test(both))
})

test('Every error code is explained', () => {
  for (const code of ERROR_CODES) assert.ok(html.includes(`<tr id="error-${code}">`), code)
})

test('The page runs no script and loads nothing but its own font', () => {
  assert.ok(!/<script|<link|<img|<iframe|\bsrc=|@import|\son\w+=/i.test(html))
  assert.deepEqual(html.match(/url\([^)]*\)/g), [`url(${FONT_PATH})`])
  const links = [...html.matchAll(/href="([^"#][^"]*)"/g)].map((match) => match[1])
  assert.deepEqual([...new Set(links)], ['openapi.json', '/docs/guides', '/docs/search'])
})

test('Text of the document cannot become markup', () => {
  const evil = `"><script>alert('x')</script>`
  const copy = poison(document, evil)
  const page = renderDocs(copy)
  assert.ok(page.includes('&lt;script&gt;'))
  assert.ok(!page.includes('<script'))
  assert.ok(!page.includes(evil))
})

test('The tags of the page are balanced', () => {
  for (const tag of ['section', 'div', 'ul', 'li', 'details', 'figure', 'pre', 'table', 'nav']) {
    const opened = html.match(new RegExp(`<${tag}[ >]`, 'g'))?.length ?? 0
    const closed = html.match(new RegExp(`</${tag}>`, 'g'))?.length ?? 0
    assert.ok(opened > 0, tag)
    assert.equal(opened, closed, tag)
  }
})

test('Create monitor: type, need, default and bounds stand beside each field', () => {
  const section = html.split('<section ').find((part) => part.includes('id="createMonitor"')) ?? ''
  const text = section.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')
  assert.match(text, /name string required Name people see\. 1 to 120 characters/)
  assert.match(text, /intervalSeconds integer .*? Default: 300 \. 30 to 86400/)
  assert.match(text, /expectedStatus array of integer .*? 1 to 100 items · each 100 to 599/)
  assert.match(text, /host string or null .*? at most 255 characters/)
})

test('A named enum shows its values, and null where a field may be null', () => {
  const text = (id: string) =>
    (html.split('<section ').find((part) => part.includes(`id="${id}"`)) ?? '')
      .replace(/<[^>]+>/g, ' ')
      .replace(/\s+/g, ' ')
  assert.match(text('object-Monitor'), /state enum .*? PENDING UP DEGRADED DOWN PAUSED/)
  assert.match(text('object-IncidentDetail'), /resolution enum or null .*? RECOVERED/)
  assert.match(text('listMonitors'), /type array of enum .*? HTTP KEYWORD/)
  assert.match(text('object-WebhookDeliveryDetail'), /payload one of 22 objects/)
})

test('Every event is listed with what it carries', () => {
  for (const type of EVENT_TYPES) assert.ok(html.includes(`<tr id="event-${type}">`), type)
  const row = html.split('<tr ').find((part) => part.startsWith('id="event-incident.opened"'))
  assert.match(row ?? '', /<code>incident<\/code> <a class="link" href="#object-EventIncident">/)
  assert.match(row ?? '', /<code>monitor<\/code> <a class="link" href="#object-Monitor">/)
  for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature'])
    assert.ok(html.includes(`<code class="name">${name}</code>`), name)
})

test('A curl line can be pasted: real id, quoted body', () => {
  const entries = entriesOf(document)
  const pause = entries.find(({ operation }) => operation.operationId === 'pauseMonitor')
  assert.ok(pause)
  assert.equal(
    curl(pause, 'https://up.example.com'),
    `curl -X POST "https://up.example.com/api/v1/monitors/mon_01m7e3dhx0e008000mxrf1bnxa/pause" \\
  -H "X-API-Key: $UPVANE_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{}'`,
  )
  for (const entry of entries) assert.ok(!curl(entry, '').includes('/{'), entry.path)
})

test('A quote in a body cannot end the shell string', () => {
  const [entry] = entriesOf(document).filter(({ method }) => method === 'post')
  assert.ok(entry?.operation.requestBody)
  const copy = structuredClone(entry)
  const content = copy.operation.requestBody?.content['application/json']
  if (content) content.example = { name: "it's" }
  assert.ok(curl(copy, '').endsWith(`-d '{"name":"it'\\''s"}'`))
})

test('A known address stands in the examples; else a variable does', () => {
  assert.ok(html.includes('$UPVANE_URL/api/v1/monitors'))
  const served = renderDocs(createOpenapi(OPERATIONS, { serverUrl: 'https://up.example.com/' }))
  assert.ok(served.includes('https://up.example.com/api/v1/monitors'))
  assert.ok(!served.includes('$UPVANE_URL'))
})

test('Highlighted JSON is the same text, escaped', () => {
  const json = JSON.stringify({ 'a<b': ['x"y', -1.5e3, true, null], c: { d: 'true 1' } }, null, 2)
  const text = highlightJson(json)
    .replace(/<\/?i[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&quot;', '"')
  assert.equal(text, json)
  assert.ok(highlightJson('"a": "<b>"').includes('<i class="s">&quot;&lt;b&gt;&quot;</i>'))
})

/** Puts a text into every field that a person could have written. */
function poison<T>(value: T, text: string): T {
  const copy = JSON.stringify(value, (key, inner: unknown) => {
    const written = ['title', 'summary', 'description', 'version', 'example', 'pattern', 'default']
    return written.includes(key) && typeof inner === 'string' ? text : inner
  })
  return JSON.parse(copy) as T
}
