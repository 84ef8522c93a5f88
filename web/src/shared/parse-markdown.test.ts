import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Inline, parseMarkdown, type TextBlock } from './parse-markdown.ts'

/** The tree in a short form: `<b>bold</b>`. */
function show(part: Inline): string {
  if ('text' in part) return part.kind === 'code' ? `<code>${part.text}</code>` : part.text
  const inner = part.parts.map(show).join('')
  return part.kind === 'link' ? `<a ${part.href}>${inner}</a>` : `<${part.kind}>${inner}</>`
}

function showBlock(block: TextBlock): string {
  if (block.kind === 'paragraph') return `p:${block.parts.map(show).join('')}`
  return `${block.ordered ? 'ol' : 'ul'}:${block.items.map((item) => item.map(show).join('')).join('|')}`
}

const CASES: [string, string, string[]][] = [
  ['a paragraph', 'All is well.', ['p:All is well.']],
  ['two paragraphs', 'One\nline\n\nTwo', ['p:One\nline', 'p:Two']],
  ['bold', '**What you can do:** wait', ['p:<strong>What you can do:</> wait']],
  ['italic', '_now_ and *then*', ['p:<em>now</> and <em>then</>']],
  ['an underscore inside a word', 'snake_case_name', ['p:snake_case_name']],
  ['stars without an end', '5 * 3 and **open', ['p:5 * 3 and **open']],
  ['code keeps its marks', '`a **b**`', ['p:<code>a **b**</code>']],
  ['a list', 'Do:\n- one\n- **two**', ['p:Do:', 'ul:one|<strong>two</>']],
  ['a numbered list', '1. one\n2. two', ['ol:one|two']],
  ['a link', '[docs](https://example.com/a)', ['p:<a https://example.com/a>docs</a>']],
  ['a link that runs code', '[x](javascript:alert(1))', ['p:[x](javascript:alert(1))']],
  ['tags are text', '<b>x</b>', ['p:<b>x</b>']],
  ['nothing', '', []],
  ['blank lines', '\n \n', []],
]

for (const [name, text, expected] of CASES)
  test(`markdown: ${name}`, () => {
    assert.deepEqual(parseMarkdown(text).map(showBlock), expected)
  })

test('a text of the greatest length with many marks is read at once', () => {
  for (const mark of ['**a', '_a', '[', '`', '[a](', '**_[']) {
    const text = mark.repeat(Math.floor(10_000 / mark.length))
    const start = performance.now()
    parseMarkdown(text)
    assert.ok(performance.now() - start < 1000, mark)
  }
})
