import assert from 'node:assert/strict'
import { test } from 'node:test'
import { steadyCpuMs } from '../../../test/kit/cpu-time.ts'
import { hostileMarkdown } from '../../../test/kit/hostile-markdown.ts'
import { renderMarkdown, toPlainText } from './markdown.ts'

const LIMIT_MS = 100

const rows: [what: string, text: string, rendered: string][] = [
  ['paragraphs', 'a\n\nb', '<p>a</p>\n<p>b</p>'],
  ['emphasis', '**a** *b* `c`', '<p><strong>a</strong> <em>b</em> <code>c</code></p>'],
  ['a list', '- a\n- b', '<ul>\n<li>a</li>\n<li>b</li>\n</ul>'],
  ['a tag', '<b onclick=x>a</b>', '<p>&lt;b onclick=x&gt;a&lt;/b&gt;</p>'],
  [
    'a block of tags',
    '<div>\n<script>x</script>',
    '<p>&lt;div&gt;\n&lt;script&gt;x&lt;/script&gt;</p>',
  ],
  [
    'a link',
    '[a](https://example.com/?b=1&c=2 "title")',
    '<p><a class="link" href="https://example.com/?b=1&amp;c=2" rel="nofollow noopener">a</a></p>',
  ],
  [
    'a mail address',
    '<mailto:a@example.com>',
    '<p><a class="link" href="mailto:a@example.com" rel="nofollow noopener">mailto:a@example.com</a></p>',
  ],
  ['a script as a link', '[a](javascript:alert(1))', '<p><a>a</a></p>'],
  ['a relative link', '[a](/app)', '<p><a>a</a></p>'],
  ['data as a link', '[a](data:text/html,x)', '<p><a>a</a></p>'],
  [
    'an image is a link',
    '![a](https://example.com/a.png)',
    '<p>!<a class="link" href="https://example.com/a.png" rel="nofollow noopener">a</a></p>',
  ],
  ['a heading stays text', '# a', '<p># a</p>'],
]

for (const [what, text, rendered] of rows) {
  test(`renderMarkdown: ${what}`, () => assert.equal(renderMarkdown(text).text, rendered))
}

test('renderMarkdown: no hostile text takes 100 ms', () => {
  for (const text of hostileMarkdown()) {
    // A different last character keeps later measurements from hitting the cache.
    let turn = 0
    const ms = steadyCpuMs(() => renderMarkdown(text.slice(0, -1) + turn++), LIMIT_MS)
    assert.ok(ms < LIMIT_MS, `${ms} ms for ${text.length} of ${JSON.stringify(text.slice(0, 40))}`)
  }
})

test('renderMarkdown: beyond the bound it is plain paragraphs', () => {
  const text = `**a**\n\n${'*'.repeat(500)}<b>`
  assert.equal(renderMarkdown(text).text, `<p>**a**</p>\n<p>${'*'.repeat(500)}&lt;b&gt;</p>`)
})

test('toPlainText: words alone, in one line, cut with an ellipsis', () => {
  assert.equal(toPlainText('**a** <b>\n\n- [c](https://example.com) & "d"', 50), 'a <b> c & "d"')
  assert.equal(toPlainText('one two three', 8), 'one two…')
  assert.equal([...toPlainText('😀'.repeat(50), 10)].length, 10)
})
