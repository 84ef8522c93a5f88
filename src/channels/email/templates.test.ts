import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cpuMs, steadyCpuMs } from '../../../test/kit/cpu-time.ts'
import { hostileMarkdown } from '../../../test/kit/hostile-markdown.ts'
import type { StatusIncidentNotice, WindowNotice } from '../../domain/status-pages/notice.ts'
import { LOCALES } from '../../domain/values/locale.ts'
import { markdown, preview } from './markup.ts'
import { renderNoticeEmail, renderSubscriptionEmail } from './templates.ts'

const LINKS = {
  confirm: 'https://status.acme.example/confirm/t',
  manage: 'https://status.acme.example/manage/t',
  unsubscribe: 'https://status.acme.example/unsubscribe/t',
}
const PAGE = {
  name: 'Acme',
  locale: 'en',
  timezone: 'Europe/Berlin',
  url: 'https://status.acme.example',
}
const INCIDENT: StatusIncidentNotice = {
  kind: 'STATUS_INCIDENT',
  id: 'sin_1',
  what: 'RESOLVED',
  title: 'Login errors',
  status: 'RESOLVED',
  impact: 'MAJOR',
  message: 'All is well.',
  at: '2026-11-14T13:39:20.000Z',
  startedAt: '2026-11-14T12:27:00.000Z',
  resolvedAt: '2026-11-14T13:39:20.000Z',
  components: [{ name: 'API', state: 'OPERATIONAL' }],
}
const WINDOW: WindowNotice = {
  kind: 'WINDOW',
  id: 'mw_1',
  what: 'SCHEDULED',
  name: 'Upgrade',
  description: null,
  startsAt: '2026-11-16T02:00:00.000Z',
  endsAt: '2026-11-16T03:00:00.000Z',
  components: [],
}

test('the text says what the HTML says', () => {
  const { subject, text, html } = renderNoticeEmail(INCIDENT, PAGE, LINKS)
  assert.equal(subject, 'Resolved: Login errors')
  assert.equal(
    text,
    `Resolved: Login errors
Sat, Nov 14, 2026, 14:39 CET

All is well.

Affected: API (Operational)
Since: Sat, Nov 14, 2026, 13:27 CET
Resolved: Sat, Nov 14, 2026, 14:39 CET
Lasted: 1 hr, 13 min

https://status.acme.example/incidents/sin_1

-- \nYou're receiving this because you subscribed to Acme.
Choose components: https://status.acme.example/manage/t
Unsubscribe: https://status.acme.example/unsubscribe/t
`,
  )
  for (const part of ['All is well.', 'API (Operational)', '1 hr, 13 min', LINKS.unsubscribe])
    assert.ok(html.includes(part), part)
})

test('a window leads to its own page while it has one', () => {
  const linkOf = (what: WindowNotice['what']) =>
    renderNoticeEmail({ ...WINDOW, what }, PAGE, LINKS).text.match(/^https:.*$/m)?.[0]
  assert.equal(linkOf('STARTED'), 'https://status.acme.example/maintenance/mw_1')
  assert.equal(linkOf('CANCELED'), 'https://status.acme.example')
})

for (const locale of LOCALES)
  test(`every content is whole in ${locale}`, () => {
    const page = { ...PAGE, locale, name: 'A & B' }
    for (const content of [
      renderNoticeEmail(INCIDENT, page, LINKS),
      renderNoticeEmail(WINDOW, page, LINKS),
      renderSubscriptionEmail('CONFIRM', page, LINKS),
      renderSubscriptionEmail('REMIND', page, LINKS),
    ]) {
      const all = [content.subject, content.text, content.html].join('\n')
      assert.doesNotMatch(all, /undefined|\{page\}|\[object|NaN|Invalid/)
      assert.match(content.html, new RegExp(`<html lang="${locale}"`))
      assert.match(content.html, /A &amp; B/)
      assert.doesNotMatch(content.html, /<img|<script|<link|url\(/, 'it loads nothing')
    }
  })

test('a language nobody speaks here is English; a page of another kind of German is German', () => {
  assert.equal(renderNoticeEmail(INCIDENT, { ...PAGE, locale: 'xx' }, LINKS).locale, 'en')
  assert.equal(renderNoticeEmail(INCIDENT, { ...PAGE, locale: 'de-AT' }, LINKS).locale, 'de')
})

// biome-ignore format: a table is read by its columns
const written: [markdown: string, html: string][] = [
  ['**a** _b_',                             '<p style="margin:0 0 12px"><strong>a</strong> <em>b</em></p>'],
  ['<b>a</b>',                              '<p style="margin:0 0 12px">&lt;b&gt;a&lt;/b&gt;</p>'],
  ['# a',                                   '<p style="margin:0 0 12px"># a</p>'],
  ['[a](javascript:alert(1))',              '<p style="margin:0 0 12px"><a>a</a></p>'],
  ['[a](data:text/html,x)',                 '<p style="margin:0 0 12px"><a>a</a></p>'],
  ['[a](/etc)',                             '<p style="margin:0 0 12px"><a>a</a></p>'],
  ['[a](https://x.example "t\\"<")',        '<p style="margin:0 0 12px"><a class="ink" href="https://x.example" style="color:#11161d;text-decoration:underline">a</a></p>'],
  ['```js\n<a href="x">\n```',              '<pre style="margin:0 0 12px;white-space:pre-wrap"><code style="font-family:ui-monospace,Menlo,Consolas,monospace;font-size:14px">&lt;a href=&quot;x&quot;&gt;\n</code></pre>'],
]
for (const [text, html] of written)
  test(`${JSON.stringify(text)} in a mail`, () => assert.equal(markdown(text).text, html))

test('the preview has words alone, and cuts no character in two', () => {
  assert.equal(
    preview(markdown('**Some** [link](https://x.example)\n\n- one')).text,
    'Some link one',
  )
  assert.equal(preview(markdown(`${'a'.repeat(138)}&&&`)).text, `${'a'.repeat(138)}…`)
})

test('markdown: no hostile text takes 100 ms', () => {
  const limitMs = 100
  for (const text of hostileMarkdown()) {
    let turn = 0
    const ms = steadyCpuMs(() => markdown(text.slice(0, -1) + turn++), limitMs)
    assert.ok(ms < limitMs, `${ms} ms for ${text.length} of ${JSON.stringify(text.slice(0, 40))}`)
  }
})

test('markdown: beyond the bound it is plain paragraphs, and a quote is text', () => {
  const style = 'style="margin:0 0 12px"'
  const many = '*'.repeat(500)
  assert.equal(
    markdown(`**a**\n\n${many}<b>`).text,
    `<p ${style}>**a**</p><p ${style}>${many}&lt;b&gt;</p>`,
  )
  assert.equal(markdown('> a').text, `<p ${style}>&gt; a</p>`)
})

test('renderNoticeEmail: any number of subscribers costs one rendering of the message', () => {
  const recipients = 200
  // For each pair of backticks, the parser scans all the words after it.
  const slow = `${'\\``'.repeat(29)}${'word '.repeat(1_950)}`
  const notice = (turn: string) => ({ ...INCIDENT, message: slow + turn })
  const send = (turn: string, subscriber: number) =>
    renderNoticeEmail(notice(turn), PAGE, { ...LINKS, manage: `https://x.example/${subscriber}` })
  for (let turn = 0; turn < 3; turn++) send(`warm up ${turn}`, 0)
  const oneMs = cpuMs(() => send('first', 0))
  const allMs = cpuMs(() => {
    for (let subscriber = 0; subscriber < recipients; subscriber++) send('second', subscriber)
  })
  assert.equal(markdown('**a**'), markdown('**a**'))
  assert.ok(allMs < (oneMs * recipients) / 4, `${oneMs} ms for one, ${allMs} ms for all`)
})
