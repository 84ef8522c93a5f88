import assert from 'node:assert/strict'
import { test } from 'node:test'
import { html, join, raw } from './html.ts'

test('html: everything put in is escaped, in text and in attributes', () => {
  const evil = `"><script>alert('1')</script>&`
  assert.equal(
    html`<a title="${evil}">${evil}</a>`.text,
    '<a title="&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;">&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;</a>',
  )
})

test('html: what it made itself is put in as it is, also from lists', () => {
  const items = ['<a>', '<b>'].map((text) => html`<li>${text}</li>`)
  assert.equal(html`<ul>${items}</ul>`.text, '<ul><li>&lt;a&gt;</li><li>&lt;b&gt;</li></ul>')
  assert.equal(join(items, raw(' · ')).text, '<li>&lt;a&gt;</li> · <li>&lt;b&gt;</li>')
})

test('html: nothing is written for false, null and undefined; zero is a number', () => {
  assert.equal(html`[${false}${null}${undefined}${0}${''}]`.text, '[0]')
})

test('html: characters that XML cannot hold, and halves of characters, are replaced', () => {
  assert.equal(html`${'a\u0000b\u001bc\ud800d\ufffee\tf\n'}`.text, 'a�b�c�d�e\tf\n')
})
