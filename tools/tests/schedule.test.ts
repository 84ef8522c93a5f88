import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseNext, halve, type Place, shard, type Task } from './schedule.ts'

const LIMITS = { load: 2, tasks: 3 }
const task = (suite: string, seconds: number, load: number, place: Place = 'shared'): Task => ({
  suite,
  files: [`${suite}.test.ts`],
  seconds,
  load,
  place,
})
const waits = task('waits', 100, 0.2)
const computes = task('computes', 50, 1.3)
const short = task('short', 5, 1)
const lonely = task('lonely', 500, 1, 'alone')
const quiet = task('quiet', 50, 1, 'quiet')

const CASES: [title: string, waiting: Task[], running: Task[], expected: Task | undefined][] = [
  ['the longest first', [short, waits, computes], [], waits],
  ['one that computes beside one that waits', [short, computes], [waits], computes],
  ['one that waits counts as two fifths', [waits], [task('x', 9, 1.3), waits], undefined],
  ['two that wait beside one that computes', [waits], [task('x', 9, 1.2), waits], waits],
  ['none that would overload the machine', [short, computes], [computes], undefined],
  ['a shorter one if the longest does not fit', [computes, short], [short, waits], undefined],
  ['a shorter one that fits', [computes, short], [task('x', 9, 0.9)], short],
  ['no more than can hold their servers', [waits], [waits, waits, waits], undefined],
  ['one that must be alone comes last', [lonely, short], [], short],
  ['one that must be alone waits for the others', [lonely], [short], undefined],
  ['one that must be alone is alone', [short], [lonely], undefined],
  ['one that must be alone, when all others ended', [lonely], [], lonely],
  ['a quiet one waits for the shared ones', [quiet], [short], undefined],
  ['a quiet one before one that must be alone', [lonely, quiet], [], quiet],
  ['two quiet ones at once', [quiet], [task('kills', 9, 1, 'quiet')], quiet],
  ['no third quiet one', [quiet], [quiet, task('kills', 9, 0.5, 'quiet')], undefined],
  ['no second quiet one that would overload', [quiet], [task('kills', 9, 1.2, 'quiet')], undefined],
  ['one that must be alone waits for the quiet ones', [lonely], [quiet], undefined],
  ['a task larger than the machine still runs', [task('huge', 1, 9)], [], undefined],
]

for (const [title, waiting, running, expected] of CASES)
  test(`chooseNext: ${title}`, () => {
    const next = chooseNext(waiting, running, LIMITS)
    if (title.startsWith('a task larger')) assert.equal(next, waiting[0])
    else assert.equal(next, expected)
  })

test('halve: all files once, in two groups of about the same time', () => {
  const seconds: Record<string, number> = { a: 10, b: 6, c: 5, d: 1 }
  const [first, second] = halve(Object.keys(seconds), (file) => seconds[file] ?? 0)
  assert.deepEqual([...first, ...second].toSorted(), ['a', 'b', 'c', 'd'])
  const sum = (files: string[]) => files.reduce((total, file) => total + (seconds[file] ?? 0), 0)
  assert.equal(sum(first), 11)
  assert.equal(sum(second), 11)
})

test('shard: all tasks in exactly one part, and no part much longer', () => {
  const tasks = Array.from({ length: 20 }, (_, n) => task(`t${n}`, 1 + (n % 7), 1))
  const parts = [1, 2, 3].map((nth) => shard(tasks, { nth, of: 3 }))
  assert.deepEqual(new Set(parts.flat()), new Set(tasks))
  assert.equal(parts.flat().length, tasks.length)
  const lengths = parts.map((part) => part.reduce((sum, { seconds }) => sum + seconds, 0))
  assert.ok(Math.max(...lengths) - Math.min(...lengths) <= 7, String(lengths))
})
