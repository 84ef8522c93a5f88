// The API reference for people: one page, rendered from openapi.json, with no scripts and nothing loaded but its font.
import { createHash } from 'node:crypto'
import { ERRORS } from '../../contract/public/errors.ts'
import { type Chapter, GUIDE } from '../../contract/public/guide.ts'
import type { OpenapiDocument } from '../../contract/public/openapi.ts'
import { escapeHtml } from '../../render/html.ts'
import { EVENTS_ID, eventObjects, renderEvents } from './events.ts'
import {
  baseUrlOf,
  card,
  entriesOf,
  methodBadge,
  type OperationEntry,
  pre,
  renderOperation,
} from './operation.ts'
import { fieldList, fieldsOf, resolver, schemaName } from './schema.ts'
import { docsStyle, FONT_PATH } from './style.ts'
import { highlightJson, highlightShell, prose, slug } from './text.ts'

/** Where the guides are, the style with the path of the font, and what else is in the head. */
type Ways = { guides: string; search: string; style: string; head: string }
type Group = { name: string; description: string; entries: OperationEntry[]; objects: string[] }

const DOCS_STYLE = docsStyle(FONT_PATH)
const STYLE_HASH = createHash('sha256').update(DOCS_STYLE).digest('base64')

/** No scripts, no styles but the one above, no font but its own, nothing external, and no embedding. */
export const DOCS_HEADERS = {
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
}

const SERVED: Ways = { guides: '/docs/guides', search: '/docs/search', style: DOCS_STYLE, head: '' }

/** In pieces. With the extension API under a heading of its own, if there is one. */
export function* renderDocs(
  document: OpenapiDocument,
  extension?: OpenapiDocument,
  ways: Ways = SERVED,
): Generator<undefined, string> {
  const groups = groupsOf(document)
  const described = new Set(groups.flatMap(({ objects }) => objects))
  const eventsOnly = eventObjects(document, described)
  const sections = yield* renderGroups(groups, document)
  const more = extension === undefined ? '' : yield* renderExtension(extension)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${ways.head}<title>${escapeHtml(document.info.title)} reference</title>
<meta name="description" content="${escapeHtml(document.info.summary)}">
<meta name="color-scheme" content="light dark">
<style>${ways.style}</style>
</head>
<body id="top">
<a class="skip" href="#main">Skip to the reference</a>
${renderHeader(document, ways)}
<div class="frame">
${renderNav(groups, eventsOnly, extension)}
<main id="main">
${renderIntro(document)}
${GUIDE.map((chapter) => renderChapter(chapter, baseUrlOf(document))).join('')}
${sections}
${renderEvents(document)}
${eventsOnly.map((name) => renderObject(name, [], document)).join('')}
${more}
</main>
</div>
</body>
</html>
`
}

function groupsOf(document: OpenapiDocument): Group[] {
  const entries = entriesOf(document)
  const listed = new Set(entries.flatMap(responseName))
  return document.tags.map(({ name, description }) => {
    const own = entries.filter(({ operation }) => operation.tags.includes(name))
    return { name, description, entries: own, objects: objectsOf(own, listed) }
  })
}

/** Objects in a group's responses. One that another group lists is described there. */
function objectsOf(entries: OperationEntry[], listed: Set<string>): string[] {
  const responses = entries.flatMap(responseName)
  const names = responses
    .map((response) => response.replace(/List$/, ''))
    .filter((name) => responses.includes(`${name}List`) || !listed.has(`${name}List`))
  return [...new Set(names)].filter((name) => name !== 'Deleted')
}

/** The schema name of an operation's response. */
function responseName({ operation }: OperationEntry): string[] {
  const reply = Object.values(operation.responses).find((one) => 'content' in one)
  const ref = reply && 'content' in reply && reply.content['application/json'].schema.$ref
  return ref ? [schemaName(ref)] : []
}

export const WORDMARK =
  '<svg viewBox="0 0 106 28" width="92" height="24" role="img" aria-label="Upvane"><path class="ink" d="M12 4 3.5 23 12 18.2Z"/><path class="accent" d="M12 4 20.5 23 12 18.2Z"/><g fill="none" stroke="currentColor" stroke-width="2.2" transform="translate(30 10)"><path d="M0-1v7a4 4 0 0 0 8 0v-7"/><path d="M13-1v15.5M13 5a4.4 4.9 0 1 1 0 .1"/><path d="m25.3-1 4.1 9.4L33.5-1"/><path d="M46-1v12M46 5a4.4 4.9 0 1 0 0 .1"/><path d="M51.5-1v12M51.5 4.3a4 4.1 0 0 1 8 0V11"/><path d="M64.4 5.1h8.4a4.3 4.9 0 1 0-1.5 3.4"/></g></svg>'

function renderHeader({ info }: OpenapiDocument, { guides, search }: Ways): string {
  return `<header class="top">
<a class="brand" href="#top">${WORDMARK}<span>API reference</span></a>
<span class="version">${escapeHtml(info.version)}</span>
<div class="ways"><a class="spec" href="openapi.json">openapi.json</a>
<a href="${guides}">Guides</a><a href="${search}">Search</a></div>
<a class="menu" href="#contents">Contents</a>
</header>`
}

function renderNav(groups: Group[], eventsOnly: string[], extension?: OpenapiDocument): string {
  const guide = GUIDE.map(({ id, title }) => `<li><a href="#${id}">${escapeHtml(title)}</a></li>`)
  return `<nav id="contents" aria-label="Contents">
<a class="close" href="#main">Close</a>
<h2>Basics</h2><ul>${guide.join('')}</ul>
${groups.map(navGroup).join('')}
${eventsOnly.length === 0 ? '' : `<h2><a href="#${EVENTS_ID}">Events</a></h2><ul>${eventsOnly.map(navObject).join('')}</ul>`}
${extension === undefined ? '' : `<h2><a href="#${EXTENSION_ID}">Extension API</a></h2>${groupsOf(extension).map(navGroup).join('')}`}
</nav>`
}

const EXTENSION_ID = 'extension-api'

function* renderExtension(extension: OpenapiDocument): Generator<undefined, string> {
  const { info } = extension
  const sections = yield* renderGroups(groupsOf(extension), extension)
  return `<section class="op chapter" id="${EXTENSION_ID}"><div class="text">
<h2><a href="#${EXTENSION_ID}">${escapeHtml(info.title)}</a></h2><p class="lead">${escapeHtml(info.summary)}</p>
<p>${prose(info.description)}</p>
<p>For machines: <a class="link" href="openapi-ext.json">openapi-ext.json</a>.</p>
</div><div class="code"></div></section>
${sections}`
}

const navObject = (name: string): string =>
  `<li><a href="#object-${escapeHtml(name)}"><span>${escapeHtml(name)} object</span></a></li>`

function navGroup({ name, entries, objects }: Group): string {
  const items = entries.map(
    ({ method, operation }) =>
      `<li><a href="#${escapeHtml(operation.operationId)}"><span>${escapeHtml(operation.summary)}</span>${methodBadge(method, method.replace('delete', 'del'))}</a></li>`,
  )
  const shapes = objects.map(navObject)
  return `<h2><a href="#${slug(name)}">${escapeHtml(name)}</a></h2><ul>${items.join('')}${shapes.join('')}</ul>`
}

function renderIntro(document: OpenapiDocument): string {
  const { info } = document
  const setup = 'export UPVANE_URL="https://upvane.example.com"\nexport UPVANE_API_KEY="upv_…"'
  const known = baseUrlOf(document) !== '$UPVANE_URL'
  return `<section class="op intro"><div class="text">
<h1>${escapeHtml(info.title)}</h1>
<p class="lead">${escapeHtml(info.summary)}</p>
<p>A JSON REST API. Everything the examples need is an API key; the same contract for machines is <a class="link" href="openapi.json">openapi.json</a>, OpenAPI ${escapeHtml(document.openapi)}.</p>
</div><div class="code">${card('Set up once', pre(escapeHtml(known ? 'export UPVANE_API_KEY="upv_…"' : setup)))}</div></section>`
}

function renderChapter({ id, title, text, sample }: Chapter, baseUrl: string): string {
  const paragraphs = text.map((paragraph) => `<p>${prose(paragraph)}</p>`).join('')
  const code = sample?.code.replaceAll('{base_url}', () => baseUrl)
  const shown = code && sample ? card(sample.title, pre(colour(code))) : ''
  return `<section class="op chapter" id="${escapeHtml(id)}"><div class="text">
<h2><a href="#${escapeHtml(id)}">${escapeHtml(title)}</a></h2>${paragraphs}${id === 'errors' ? errorTable() : ''}
</div><div class="code">${shown}</div></section>`
}

function colour(code: string): string {
  if (code.startsWith('{')) return highlightJson(code)
  return code.startsWith('curl') ? highlightShell(code) : escapeHtml(code)
}

function errorTable(): string {
  const rows = Object.entries(ERRORS).map(
    ([code, { status, meaning }]) =>
      `<tr id="error-${code}"><td>${status}</td><td><code>${code}</code></td><td>${prose(meaning)}</td></tr>`,
  )
  return `<table class="codes"><thead><tr><th scope="col">Status</th><th scope="col">Code</th><th scope="col">Meaning</th></tr></thead><tbody>${rows.join('')}</tbody></table>`
}

function* renderGroups(
  groups: readonly Group[],
  document: OpenapiDocument,
): Generator<undefined, string> {
  let html = ''
  for (const group of groups) {
    yield
    html += renderGroup(group)
    for (const entry of group.entries) {
      yield
      html += renderOperation(entry, document)
    }
    for (const name of group.objects) {
      yield
      html += renderObject(name, group.entries, document)
    }
  }
  return html
}

function renderGroup(group: Group): string {
  const routes = group.entries.map(
    ({ method, path, operation }) =>
      `<li><a href="#${escapeHtml(operation.operationId)}">${methodBadge(method)} <code>${escapeHtml(path)}</code></a></li>`,
  )
  return `<section class="op group" id="${slug(group.name)}"><div class="text">
<h2><a href="#${slug(group.name)}">${escapeHtml(group.name)}</a></h2><p class="lead">${prose(group.description)}</p>
</div><div class="code">${card('Endpoints', `<ul class="routes">${routes.join('')}</ul>`)}</div></section>
`
}

function renderObject(name: string, entries: OperationEntry[], document: OpenapiDocument): string {
  const fields = fieldsOf(document.components.schemas[name] ?? {}, false)
  return `<section class="op object" id="object-${escapeHtml(name)}"><div class="text">
<h3><a href="#object-${escapeHtml(name)}">The ${escapeHtml(name)} object</a></h3>
<p class="lead">${fields.length} fields, always all of them.</p>${fieldList(fields, resolver(document))}
</div><div class="code">${objectCard(name, entries)}</div></section>`
}

/** An example, from a response that is this object or a page of it. */
function objectCard(name: string, entries: OperationEntry[]): string {
  const found = entries.flatMap(({ operation }) => {
    const reply = Object.values(operation.responses).find((one) => 'content' in one)
    if (reply === undefined || !('content' in reply)) return []
    const { schema, example } = reply.content['application/json']
    if (schema.$ref === `#/components/schemas/${name}`) return [example]
    const isPage = schema.$ref === `#/components/schemas/${name}List`
    return isPage ? (example as { data: unknown[] }).data.slice(0, 1) : []
  })
  return found.length === 0 ? '' : card(name, pre(highlightJson(JSON.stringify(found[0], null, 2))))
}
