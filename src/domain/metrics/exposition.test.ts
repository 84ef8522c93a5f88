import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  chooseExpositionFormat,
  type ExpositionFormat,
  type MetricFamily,
  renderFamilies,
  toLabels,
} from './exposition.ts'

const PROMETHEUS =
  'application/openmetrics-text;version=1.0.0;q=0.5,application/openmetrics-text;version=0.0.1;q=0.4,text/plain;version=0.0.4;q=0.3,*/*;q=0.2'

// biome-ignore format: a table is read by its columns
const accepted: [accept: string, format: ExpositionFormat][] = [
  ['', 'TEXT'],
  ['*/*', 'TEXT'],
  ['text/html', 'TEXT'],
  ['text/plain;version=0.0.4', 'TEXT'],
  [PROMETHEUS, 'OPENMETRICS'],
  ['application/openmetrics-text', 'OPENMETRICS'],
  ['Application/OpenMetrics-Text; Version=1.0.0', 'OPENMETRICS'],
  ['application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6, text/plain;q=0.5', 'OPENMETRICS'],
  ['application/openmetrics-text;version=2.0.0', 'TEXT'],
  ['application/openmetrics-text;q=0.1,text/plain;q=0.9', 'TEXT'],
  ['application/openmetrics-text;q=0.5,text/*;q=0.5', 'TEXT'],
  ['application/openmetrics-text;q=0', 'TEXT'],
  ['application/openmetrics-text;q=nonsense', 'TEXT'],
  [';;;,,,q=', 'TEXT'],
]
for (const [accept, format] of accepted)
  test(`chooseExpositionFormat: "${accept.slice(0, 70)}" gets ${format}`, () => {
    assert.equal(chooseExpositionFormat(accept), format)
  })

// biome-ignore format: a table is read by its columns
const labels: [value: string, shown: string][] = [
  ['Shop', 'a="Shop"'],
  ['', 'a=""'],
  ['say "hi"', 'a="say \\"hi\\""'],
  ['C:\\temp', 'a="C:\\\\temp"'],
  ['two\nlines', 'a="two\\nlines"'],
  ['\\n', 'a="\\\\n"'],
  ['} 1\nupvane_monitor_up 0', 'a="} 1\\nupvane_monitor_up 0"'],
  ['Bücher 📚', 'a="Bücher 📚"'],
]
for (const [value, shown] of labels)
  test(`toLabels: ${JSON.stringify(value)}`, () => assert.equal(toLabels({ a: value }), shown))

test('toLabels: keeps the given order', () => {
  assert.equal(toLabels({ b: '1', a: '2' }), 'b="1",a="2"')
})

const FAMILIES: MetricFamily<number>[] = [
  { name: 'x_up', help: 'Whether.', kind: 'gauge', linesOf: (n) => (n === 2 ? '' : `x_up ${n}\n`) },
  { name: 'x_info', help: 'What.', kind: 'info', linesOf: (n) => `x_info{n="${n}"} 1\n` },
]
const render = (format: ExpositionFormat) => [...renderFamilies(FAMILIES, [1, 2], format)].join('')

test('renderFamilies: each family is one group, with its help and type', () => {
  assert.equal(
    render('TEXT'),
    '# HELP x_up Whether.\n# TYPE x_up gauge\nx_up 1\n' +
      '# HELP x_info What.\n# TYPE x_info gauge\nx_info{n="1"} 1\nx_info{n="2"} 1\n',
  )
})

test('renderFamilies: OpenMetrics names an info family without its suffix and ends with EOF', () => {
  assert.equal(
    render('OPENMETRICS'),
    '# HELP x_up Whether.\n# TYPE x_up gauge\nx_up 1\n' +
      '# HELP x What.\n# TYPE x info\nx_info{n="1"} 1\nx_info{n="2"} 1\n# EOF\n',
  )
})
