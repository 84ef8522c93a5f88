import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GROUPS, loadCommands } from './table.ts'

const firstWord = (name: string): string => name.split(' ')[0] ?? ''

for (const { words, load } of GROUPS)
  test(`the group of ${words.join(', ')} has commands that start with these words, and no other`, async () => {
    const found = new Set((await load()).map(({ name }) => firstWord(name)))
    assert.deepEqual([...found].toSorted(), [...words].toSorted())
  })

test('a word loads its group; help, completion, an unknown word and none load everything', async () => {
  const namesOf = async (word?: string): Promise<string[]> =>
    (await loadCommands(word)).map(({ name }) => name)
  const all = await namesOf()
  assert.equal(new Set(all).size, all.length)
  assert.deepEqual(await namesOf('pages'), ['pages list', 'pages get'])
  for (const word of ['help', 'completion', 'sing']) assert.deepEqual(await namesOf(word), all)
})
