import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findProblems, findUnstyled } from './check-styles.ts'

const dead = (name: string) => `web/a.css: no component names the class .${name}`

// biome-ignore format: a table is read by its columns
const rows: [css: string, code: string, problems: string[]][] = [
  ['.a {}',                              '<p className="a" />',                       []],
  ['.a {}',                              '<p className="b" />',                       [dead('a')]],
  ['.a {}',                              '<p className="a-b" />',                     [dead('a')]],
  ['.a {}',                              'He said a word',                            [dead('a')]],
  ['.a {}',                              "title('A sentence with a.')",               [dead('a')]],
  ['.b .c {}',                           '<p className="c d b" />',                   []],
  ['.b:not(.c) {}',                      '<p className="b" />',                       [dead('c')]],
  ['.b,\n.c {}',                         '<p className="b" />',                       [dead('c')]],
  ['@media (x) { .c {} }',               '<p className="b" />',                       [dead('c')]],
  ['@layer ui { .b { color: red } .c {} }', '<p className="b" />',                    [dead('c')]],
  ['.b {}',                              'className={`a ${is ? "b" : ""}`}',          []],
  ['.b {}',                              "className={of({ x: 1 }, 'b')}",             []],
  ['.b {}',                              "const NAMES = ['a', 'b']",                  []],
  ['.b-up {} .u-legend {}',              '',                                          []],
  ['/* .c */ p { width: 1.5em; content: ".c" }', '',                                  []],
  ['@keyframes k { from { top: .5px } }', '',                                         []],
]
for (const [css, code, problems] of rows) {
  test(`${JSON.stringify(css)} with ${JSON.stringify(code)}: [${problems}]`, () => {
    const components = [{ path: 'web/a.tsx', text: code }]
    assert.deepEqual(findProblems([{ path: 'web/a.css', text: css }], components), problems)
  })
}

test('the rules of a class are in at most two stylesheets; a rule belongs to its first class', () => {
  const components = [{ path: 'web/a.tsx', text: '<p className="a b" />' }]
  const sheet = (path: string, text: string) => ({ path, text })
  const two = [
    sheet('1.css', '.a {}'),
    sheet('2.css', '.a {} .b .a {}'),
    sheet('3.css', '.b .a {}'),
  ]
  assert.deepEqual(findProblems(two, components), [])
  assert.deepEqual(findProblems([...two, sheet('4.css', 'p.a > .b {}')], components), [
    '1.css, 2.css, 4.css: all style .a',
  ])
})

test('a stylesheet has at most 300 lines', () => {
  const sheet = (lines: number) => ({ path: 'web/a.css', text: 'p {}\n'.repeat(lines) })
  assert.deepEqual(findProblems([sheet(300)], []), [])
  assert.deepEqual(findProblems([sheet(301)], []), ['web/a.css: 301 lines; at most 300'])
})

test('a component imports only stylesheets that exist', () => {
  const sheets = [{ path: 'web/ui/a.css', text: '' }]
  const component = (target: string) => [
    { path: 'web/screens/b.tsx', text: `import { x } from './x.ts'\nimport '${target}'\n` },
  ]
  assert.deepEqual(findProblems(sheets, component('../ui/a.css')), [])
  assert.deepEqual(findProblems(sheets, component('./a.css')), [
    'web/screens/b.tsx: imports web/screens/a.css, which does not exist',
  ])
  assert.deepEqual(findProblems(sheets, component('chart-library/style.css')), [])
})

test('a class in a component has a rule, but parts of composed names need none', () => {
  const sheets = [{ path: 'web/a.css', text: '.b {} .c:not(.d) {}' }]
  const unstyled = (code: string) => findUnstyled(sheets, [{ path: 'web/a.tsx', text: code }])
  assert.deepEqual(unstyled('<p className="b d c" />'), [])
  assert.deepEqual(unstyled("<p className={`x-${tone}`} title='y' />"), [])
  assert.deepEqual(unstyled('<p className="b all-note" />'), [
    'web/a.tsx: no stylesheet has a rule for the class all-note',
  ])
})
