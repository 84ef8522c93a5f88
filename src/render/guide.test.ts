import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renderGuide } from './guide.ts'
import { sectionsOf } from './guide-blocks.ts'

const PAGES: Record<string, string> = { 'health.md#a-b': '/guide/health#a-b' }
const LINKS = {
  linkTo: (href: string) => (href.startsWith('#') ? href : PAGES[href]),
  picture: (path: string) =>
    path === 'images/a.png' ? { src: '/guide/a.png', width: 800, height: 400 } : undefined,
}

function render(...lines: string[]): string {
  const work = renderGuide(lines.join('\n'), LINKS)
  let step = work.next()
  while (!step.done) step = work.next()
  return step.value
}

test('renderGuide: headings, links and what is no page; tags stay text', () => {
  const html = render(
    '# A `b`',
    '',
    '## Two',
    '',
    'See [health](health.md#a-b), [it](../x.ts), <b>this</b>.',
  )
  assert.ok(html.includes('<h1 id="a-b">A <code>b</code></h1>'), html)
  assert.ok(html.includes('<h2 id="two"><a href="#two">Two</a></h2>'), html)
  assert.ok(html.includes('<a href="/guide/health#a-b">health</a>, <a>it</a>, &lt;b&gt;'), html)
  assert.ok(!render('[x](javascript:alert)').includes('href'))
})

test('renderGuide: a heading that is there twice has an id of its own', () => {
  const ids = [...render('## Same', '## Same', '## Same').matchAll(/ id="([^"]+)"/g)]
  assert.deepEqual(
    ids.map(([, id]) => id),
    ['same', 'same-1', 'same-2'],
  )
})

test('renderGuide: a table, each cell with its column', () => {
  const html = render('| m | `n` |', '|---|---|', '| `x <y>` | [z](#a-b), 5 < 6 & "q" |')
  assert.ok(html.includes('<th scope="col">m</th><th scope="col"><code>n</code></th>'), html)
  assert.ok(
    html.includes(
      '<td data-column="m"><code>x &lt;y&gt;</code></td><td data-column="n"><a href="#a-b">z</a>, 5 &lt; 6 &amp; &quot;q&quot;</td>',
    ),
    html,
  )
})

test('renderGuide: a sample stays as it is, with what is said about it above', () => {
  const sample = ['```sh test=x.test.ts', '# no heading', '| no table', '<!-- kept -->', '```']
  const html = render('<!-- dropped -->', ...sample, '', '```json', '{}', '```')
  assert.ok(html.includes('<p class="about">test=x.test.ts</p><pre tabindex="0"><code'), html)
  assert.ok(html.includes('# no heading\n| no table\n&lt;!-- kept --&gt;'), html)
  assert.ok(!html.includes('dropped') && html.match(/class="about"/g)?.length === 1, html)
})

test('renderGuide: pictures have their size, and unknown ones leave their description', () => {
  const html = render(
    '![An "A"](images/a.png) ![No](images/none.png)',
    '',
    '<img src="images/a.png" width="200" alt="small">',
  )
  assert.ok(
    html.includes(
      '<img src="/guide/a.png" width="800" height="400" loading="lazy" alt="An &quot;A&quot;"> No',
    ),
    html,
  )
  assert.ok(html.includes('width="200" height="100" loading="lazy" alt="small">'), html)
})

test('renderGuide: folded parts', () => {
  const html = render('<details><summary>In Go</summary>', '', 'Text', '', '</details>')
  assert.match(html, /<details><summary>In Go<\/summary>\s*<p>Text<\/p>\s*<\/details>/)
})

test('sectionsOf: the text below each heading, without marks', () => {
  const text = ['# One', 'A **b** [c](d.md) `e`.', '## Two', '| f | g |', '|---|---|', '| h | i |']
  assert.deepEqual(sectionsOf(text.join('\n')), [
    { title: 'One', id: 'one', level: 1, text: 'A b c e.' },
    { title: 'Two', id: 'two', level: 2, text: 'f · g h · i' },
  ])
})
