// Reads the text format of Prometheus strictly: what it refuses, some scraper would refuse too.
import assert from 'node:assert/strict'

type Sample = { name: string; labels: Record<string, string>; value: number }
type SampleFamily = { name: string; type: string; help: string; samples: Sample[] }

const NAME = /^[a-z_:][a-z0-9_:]*$/i
const LABEL_NAME = /^[a-z_][a-z0-9_]*$/i
const NUMBER = /^[+-]?(\d+(\.\d+)?(e[+-]?\d+)?|Inf|NaN)$/i
const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\', '"': '"', n: '\n' }

/** Families in their order. Every sample must follow the type of its family, and no series may occur twice. */
export function readExposition(text: string): SampleFamily[] {
  assert.ok(text === '' || text.endsWith('\n'), 'the last line has no end')
  const families: SampleFamily[] = []
  const series = new Set<string>()
  for (const line of text.split('\n').slice(0, -1)) {
    if (line === '# EOF') continue
    if (line.startsWith('# ')) readComment(families, line)
    else {
      const sample = readSample(line)
      const family = families.at(-1)
      assert.ok(family !== undefined && belongs(family, sample.name), `outside its family: ${line}`)
      const key = JSON.stringify([sample.name, Object.entries(sample.labels).toSorted()])
      assert.ok(!series.has(key), `twice: ${line}`)
      series.add(key)
      family.samples.push(sample)
    }
  }
  const names = families.map(({ name }) => name)
  assert.equal(new Set(names).size, names.length, 'a family is in two groups')
  return families
}

/** All samples with this name. */
export function samplesOf(families: readonly SampleFamily[], name: string): Sample[] {
  return families.flatMap(({ samples }) => samples).filter((sample) => sample.name === name)
}

function belongs({ name, type }: SampleFamily, sample: string): boolean {
  return sample === (type === 'info' ? `${name}_info` : name)
}

function readComment(families: SampleFamily[], line: string): void {
  const [, kind, name = '', ...rest] = line.split(' ')
  assert.match(name, NAME, line)
  if (kind === 'HELP') families.push({ name, type: '', help: rest.join(' '), samples: [] })
  else {
    assert.equal(kind, 'TYPE', line)
    const family = families.at(-1)
    assert.ok(family?.name === name && family.type === '', `a type without its help: ${line}`)
    family.type = rest.join(' ')
  }
}

function readSample(line: string): Sample {
  const brace = line.indexOf('{')
  const name = brace === -1 ? line.slice(0, line.indexOf(' ')) : line.slice(0, brace)
  assert.match(name, NAME, line)
  const { labels, end } = brace === -1 ? { labels: {}, end: name.length } : readLabels(line, brace)
  assert.equal(line.charAt(end), ' ', line)
  const value = line.slice(end + 1)
  assert.match(value, NUMBER, line)
  return { name, labels, value: Number(value.replace('Inf', 'Infinity')) }
}

/** `end` is the place after the closing brace. */
function readLabels(line: string, brace: number): { labels: Record<string, string>; end: number } {
  const labels: Record<string, string> = {}
  let at = brace + 1
  while (line.charAt(at) !== '}') {
    const equals = line.indexOf('=', at)
    const name = line.slice(at, equals)
    assert.match(name, LABEL_NAME, line)
    assert.ok(!(name in labels), `the label ${name} twice: ${line}`)
    const quoted = readQuoted(line, equals + 1)
    labels[name] = quoted.text
    at = line.charAt(quoted.end) === ',' ? quoted.end + 1 : quoted.end
    assert.ok(line.charAt(quoted.end) === ',' || line.charAt(at) === '}', line)
  }
  return { labels, end: at + 1 }
}

function readQuoted(line: string, start: number): { text: string; end: number } {
  assert.equal(line.charAt(start), '"', line)
  let text = ''
  for (let at = start + 1; at < line.length; at++) {
    const character = line.charAt(at)
    if (character === '"') return { text, end: at + 1 }
    if (character !== '\\') text += character
    else {
      at += 1
      const escaped = ESCAPES[line.charAt(at)]
      assert.ok(escaped !== undefined, `an unknown escape: ${line}`)
      text += escaped
    }
  }
  return assert.fail(`a label without its end: ${line}`)
}
