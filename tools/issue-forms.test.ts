// A form with a mistake is not offered to anybody, and nothing says so.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parse } from 'yaml'

const FOLDER = join(import.meta.dirname, '../.github/ISSUE_TEMPLATE')
const FORMS = globSync('*.yml', { cwd: FOLDER }).filter((file) => file !== 'config.yml')
const KINDS = new Set(['markdown', 'input', 'textarea', 'dropdown', 'checkboxes'])

type Field = { type: string; id?: string; attributes: { label?: string; value?: string } }
type Form = { name?: string; description?: string; body: Field[] }

test('there are issue forms', () => {
  assert.deepEqual(FORMS.toSorted(), [
    'bug.yml',
    'feature.yml',
    'question.yml',
    'wrong-verdict.yml',
  ])
})

for (const file of FORMS)
  test(`issue form ${file}: has what a code host requires`, () => {
    const form = parse(readFileSync(join(FOLDER, file), 'utf8')) as Form
    assert.ok(form.name && form.description)
    assert.ok(form.body.length > 0)
    for (const { type, attributes } of form.body) {
      assert.ok(KINDS.has(type), type)
      const isText = type === 'markdown'
      assert.ok(isText ? attributes.value : attributes.label, JSON.stringify(attributes))
    }
    const ids = form.body.flatMap(({ id }) => id ?? [])
    assert.equal(new Set(ids).size, ids.length)
    assert.equal(ids.length, form.body.filter(({ type }) => type !== 'markdown').length)
  })
