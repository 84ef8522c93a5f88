import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lastKnown, shownOffline } from './last-known.ts'

const NOTHING = { data: undefined, about: 'shop' }
const read = (data: string | undefined, isPlaceholderData = false) => ({ data, isPlaceholderData })

test('offline, another filter of the same thing shows what was read last', () => {
  const all = lastKnown<string>(NOTHING, read('all rows'), 'shop')
  const down = lastKnown(all, read('all rows', true), 'shop')
  assert.equal(shownOffline(lastKnown(down, read(undefined), 'shop'), 'shop'), 'all rows')
})

test('offline, another monitor never shows the data of the one before, which was its placeholder', () => {
  const shop = lastKnown<string>(NOTHING, read('shop'), 'shop')
  const blog = lastKnown(shop, read('shop', true), 'blog')
  assert.equal(shownOffline(lastKnown(blog, read(undefined), 'blog'), 'blog'), undefined)
  assert.equal(shownOffline(lastKnown(blog, read('blog'), 'blog'), 'blog'), 'blog')
})

test('what was read again unchanged is the same object, so nothing is rendered twice', () => {
  const shop = lastKnown<string>(NOTHING, read('shop'), 'shop')
  assert.equal(lastKnown(shop, read('shop'), 'shop'), shop)
})
