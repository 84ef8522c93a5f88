import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isOverLimit, rateHeaders, secondsLeft, unusedWindow } from './rate-window.ts'

test('the headers are written as the specification shows them', () => {
  assert.deepEqual(rateHeaders({ quota: 120, used: 1, resetSeconds: 59.7 }), {
    'RateLimit-Limit': '120',
    'RateLimit-Remaining': '119',
    'RateLimit-Reset': '60',
    RateLimit: 'public-api;r=119;t=60',
    'RateLimit-Policy': 'public-api;q=120;w=60',
  })
})

test('the 120th request passes, the 121st does not', () => {
  assert.ok(!isOverLimit({ quota: 120, used: 120, resetSeconds: 1 }))
  assert.ok(isOverLimit({ quota: 120, used: 121, resetSeconds: 1 }))
})

test('remaining is never negative and the reset is 1 to 60 seconds', () => {
  assert.equal(rateHeaders({ quota: 120, used: 121, resetSeconds: 5 })['RateLimit-Remaining'], '0')
  assert.equal(secondsLeft({ quota: 1, used: 1, resetSeconds: -0.2 }), 1)
  assert.equal(secondsLeft({ quota: 1, used: 1, resetSeconds: 60.01 }), 60)
})

test('a request of nobody shows a full window', () => {
  assert.equal(rateHeaders(unusedWindow(120))['RateLimit'], 'public-api;r=120;t=60')
})
