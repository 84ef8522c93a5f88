import assert from 'node:assert/strict'
import { test } from 'node:test'
import { followToast, showToasts, type ToastMessage, toast, withdrawUndo } from './toast.ts'

const run = () => {}
const good = (sentence: string): ToastMessage => ({ sentence, tone: 'good' })
const bad = (sentence: string): ToastMessage => ({ sentence, tone: 'bad' })
const paused: ToastMessage = { ...good('3 monitors paused'), undo: { run } }

type Case = [
  what: string,
  shown: ToastMessage,
  next: ToastMessage,
  afterMs: number,
  sentence: string,
  hasUndo: boolean,
]
// biome-ignore format: a table is read by its columns
const cases: Case[] = [
  ['the next replaces the one before',       good('A paused'), good('A resumed'),           10,   'A resumed',                               false],
  ['an Undo does not outlive its message',   paused,           good('A resumed'),           10,   'A resumed',                               false],
  ['a success does not hide a problem',      bad('No tags.'),  good('A saved'),             300,  'No tags. A saved.',                       false],
  ['a problem joins what it is about',       paused,           bad('1 could not be paused'), 0,   '3 monitors paused. 1 could not be paused.', true],
  ['two problems are both read',             bad('No tags'),   bad('No contacts'),          300,  'No tags. No contacts.',                   false],
  ['a problem is not repeated',              bad('No tags'),   bad('No tags'),              300,  'No tags',                                 false],
  ['later, it is about something else',      bad('No tags'),   good('A saved'),             2001, 'A saved',                                 false],
  ['too long to be read together',           bad('x'.repeat(240)), good('A saved'),         0,    'A saved',                                 false],
]
for (const [what, shown, next, afterMs, sentence, hasUndo] of cases)
  test(`toast: ${what}`, () => {
    const message = followToast(shown, next, afterMs)
    assert.deepEqual([message.sentence, message.undo !== undefined], [sentence, hasUndo])
    assert.equal(message.tone === 'bad', next.tone === 'bad' || message.sentence !== next.sentence)
  })

test('toast: what was said before anything could show it is shown once', () => {
  const shown: string[] = []
  let withdrawn = 0
  const shower = {
    show: ({ sentence }: ToastMessage) => void shown.push(sentence),
    withdraw: () => {
      withdrawn += 1
    },
  }
  withdrawUndo()
  toast('early')
  const stop = showToasts(shower)
  toast('late')
  withdrawUndo()
  stop()
  withdrawUndo()
  assert.deepEqual([shown, withdrawn], [['early', 'late'], 1])
})
