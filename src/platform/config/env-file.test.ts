import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { cpuMs } from '../../../test/kit/cpu-time.ts'
import { listSettings } from './config.ts'
import { loadEnvironmentFile, parseEnvironmentFile } from './env-file.ts'

const EXAMPLE = join(import.meta.dirname, '../../../deploy/example.env')

// test/deploy runs the same cases against a real systemd.
const CASES = join(import.meta.dirname, '../../../test/deploy/env-file-cases.json')

type Case = { line: string; value: string }

test('a value is read as systemd reads it', () => {
  const cases = JSON.parse(readFileSync(CASES, 'utf8')) as Case[]
  assert.ok(cases.length >= 20)
  for (const { line, value } of cases) {
    const { values, problems } = parseEnvironmentFile(`# before\n${line}\nAFTER=1\n`)
    assert.deepEqual(problems, [], line)
    assert.deepEqual(
      [...values],
      [
        ['V', value],
        ['AFTER', '1'],
      ],
      line,
    )
  }
})

test('what systemd would silently drop is a problem with its line', () => {
  const problemsOf = (text: string) => parseEnvironmentFile(text).problems
  assert.deepEqual(problemsOf('A=1\nno equals sign\n'), ['line 2 is not NAME=value'])
  assert.deepEqual(problemsOf('\n\nexport A=1\n'), ['line 3: "export A" is not a variable name'])
  assert.deepEqual(problemsOf('A="open\nB=2\n'), ['line 1: the quote is not closed'])
  assert.deepEqual(problemsOf('A='), [])
})

test('a hostile file is read in linear time', () => {
  for (const text of [
    '\\'.repeat(1e6),
    '"'.repeat(1e6),
    `A=${'x '.repeat(5e5)}`,
    '='.repeat(1e6),
    '=\n'.repeat(5e5),
    'A\n'.repeat(5e5),
  ]) {
    const ms = cpuMs(() => parseEnvironmentFile(text))
    assert.ok(ms < 2_000, `${text.slice(0, 5)}: ${ms} ms`)
  }
})

test('the environment wins over the file, also where one of them names a NAME_FILE', (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'upvane-env-'))
  t.after(() => rmSync(directory, { recursive: true }))
  const file = join(directory, 'upvane.env')
  writeFileSync(
    file,
    'ADMIN_ORGANIZATION=My organization\nLOG_LEVEL=warn\nDATABASE_URL_FILE=/x\nPORT=1\n',
  )
  const environment: Record<string, string | undefined> = {
    UPVANE_ENV_FILE: file,
    LOG_LEVEL: 'debug',
    DATABASE_URL: 'postgres://u@db/upvane',
    PORT: '',
  }
  const { problems, names } = loadEnvironmentFile(environment)
  assert.deepEqual(problems, [])
  assert.equal(environment['ADMIN_ORGANIZATION'], 'My organization')
  assert.equal(environment['LOG_LEVEL'], 'debug')
  assert.equal(environment['DATABASE_URL_FILE'], undefined)
  assert.equal(environment['PORT'], '1')
  const sources = new Map(
    listSettings(environment, names).map(({ name, ...one }) => [name, [one.source, one.file]]),
  )
  assert.deepEqual(
    ['PORT', 'LOG_LEVEL', 'HOST'].map((name) => sources.get(name)),
    [
      ['environment file', file],
      ['environment', undefined],
      ['default', undefined],
    ],
  )
})

test('a file that cannot be read or used is a problem', (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'upvane-env-'))
  t.after(() => rmSync(directory, { recursive: true }))
  const file = join(directory, 'upvane.env')
  assert.match(
    loadEnvironmentFile({ UPVANE_ENV_FILE: file }).problems[0] ?? '',
    /cannot be read \(ENOENT\)/,
  )
  writeFileSync(file, `NODE_OPTIONS=--x\nNODE_EXTRA_CA_CERTS=${directory}/none.pem\n`)
  const { problems } = loadEnvironmentFile({ UPVANE_ENV_FILE: file })
  assert.deepEqual(problems, [
    `${file}: NODE_OPTIONS cannot be set here; set it in the unit`,
    `${file}: NODE_EXTRA_CA_CERTS: ${directory}/none.pem cannot be read`,
  ])
  assert.deepEqual(loadEnvironmentFile({}).problems, [])
})

test('example.env names every variable once, and nothing else', () => {
  const text = readFileSync(EXAMPLE, 'utf8')
  const names = [...text.matchAll(/^#?([A-Z][A-Z0-9_]+)=/gm)].map((match) => match[1] ?? '')
  const known = new Set(listSettings({}).map(({ name }) => name))
  // Some are shown in the form they should be given.
  const shown = names.map((name) => (known.has(name) ? name : name.replace(/_FILE$/, '')))
  const others = ['NODE_EXTRA_CA_CERTS']
  assert.deepEqual(shown.toSorted(), [...known, ...others].toSorted())
})

test('example.env is sound as it is, and shows the defaults', () => {
  const { values, problems } = parseEnvironmentFile(readFileSync(EXAMPLE, 'utf8'))
  assert.deepEqual(problems, [])
  const defaults = new Map(listSettings({}).map(({ name, value }) => [name, value]))
  for (const [name, value] of values)
    if (defaults.has(name)) assert.equal(value, defaults.get(name), name)
})
