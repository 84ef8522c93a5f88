import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'

const MODULE = join(import.meta.dirname, 'helper-threads.ts')

/** Prints name and niceness of every thread of a new process, before and after. */
const PROGRAM = `
import { readdirSync, readFileSync } from 'node:fs'
const { lowerHelperPriority } = await import(process.argv[1])
const list = () => readdirSync('/proc/self/task').map((thread) => {
  const stat = readFileSync('/proc/self/task/' + thread + '/stat', 'utf8')
  const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'))
  return { name, nice: Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]) }
})
const before = list()
lowerHelperPriority()
console.log(JSON.stringify({ before, after: list() }))`

type Thread = { name: string; nice: number }

test('only the helper threads of V8 get a lower priority', {
  skip: process.platform !== 'linux',
}, () => {
  const args = ['--input-type=module', '--eval', PROGRAM, MODULE]
  const text = execFileSync(process.execPath, args, { encoding: 'utf8' })
  const { before, after } = JSON.parse(text) as { before: Thread[]; after: Thread[] }
  const own = before[0]?.nice ?? 0
  assert.deepEqual(new Set(before.map(({ nice }) => nice)), new Set([own]))
  const isHelper = ({ name }: Thread) => name.includes('V8Worker')
  const lowered = Math.min(19, own + 10)
  assert.ok(after.filter(isHelper).length >= 1, JSON.stringify(after))
  for (const thread of after)
    assert.equal(thread.nice, isHelper(thread) ? lowered : own, thread.name)
})
