import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type AddressPolicy,
  endpointUrlProblem,
  eventTypesProblem,
  uniqueEventTypes,
  webhookUrlProblem,
} from './webhook.ts'

const strict: AddressPolicy = {
  isPublic: (address) => address === '93.184.216.34',
  isAllowed: () => false,
  allowHttp: false,
}
const relaxed: AddressPolicy = {
  ...strict,
  isAllowed: (address) => address.startsWith('127.') || address === '::1',
  allowHttp: true,
}

// biome-ignore format: a table is read by its columns
const rows: [url: string, strict: boolean, bench: boolean][] = [
  // url                                        strict  loopback and http allowed
  ['https://hooks.example.com/x?y=1',           true,   true],
  ['https://hooks.example.com:8443/',           true,   true],
  ['https://93.184.216.34/',                    true,   true],
  ['http://hooks.example.com/',                 false,  false], // http only to allowed addresses
  ['http://127.0.0.1:9000/',                    false,  true],
  ['http://127.1:9000/',                        false,  true],  // judged by the address it connects to
  ['http://[::1]:9000/',                        false,  true],
  ['http://localhost:9000/',                    false,  true],
  ['https://localhost/',                        false,  true],
  ['https://a.localhost/',                      false,  true],
  ['https://localhost./',                       false,  true],
  ['https://10.0.0.1/',                         false,  false],
  ['https://169.254.169.254/',                  false,  false],
  ['https://0x7f000001/',                       false,  true],
  ['https://user@hooks.example.com/',           false,  false],
  ['https://hooks.example.com/#x',              false,  false],
  ['https://hooks.example.com:25/',             false,  false],
  ['https://hooks.example.com:465/',            false,  false],
  ['https://hooks.example.com:587/',            false,  false],
  ['https://hooks.example.com:2525/',           true,   true],
  ['ftp://hooks.example.com/',                  false,  false],
  ['hooks.example.com',                         false,  false],
  ['https://',                                  false,  false],
  ['https:///x',                                false,  false],
  [' https://hooks.example.com/',               false,  false],
]
for (const [url, whenStrict, onBench] of rows) {
  test(`events may go to "${url}": ${whenStrict}, on a bench ${onBench}`, () => {
    assert.equal(webhookUrlProblem(url, strict) === undefined, whenStrict)
    assert.equal(webhookUrlProblem(url, relaxed) === undefined, onBench)
    assert.equal(endpointUrlProblem(url, strict) === undefined, whenStrict)
    assert.equal(endpointUrlProblem(url, relaxed) === undefined, onBench)
  })
}

// biome-ignore format: many short values read better side by side
const privateNames = [
  'intranet', 'intranet.', 'com', 'x.local', 'x.local.', 'a.b.internal', 'internal', '*.example.com', '*',
  'a*b.example.com', 'a..example.com',
]
for (const name of privateNames)
  test(`an endpoint may not name ${name}`, () => {
    assert.equal(endpointUrlProblem(`https://${name}/`, strict), 'must name a public host')
    assert.equal(webhookUrlProblem(`https://${name}/`, strict), undefined)
  })

test('event types are kept once each, in the order given', () => {
  assert.deepEqual(uniqueEventTypes(['b', 'a', 'b', 'c', 'a']), ['b', 'a', 'c'])
})

test('* stands alone', () => {
  assert.equal(eventTypesProblem(['*']), undefined)
  assert.equal(eventTypesProblem(['monitor.up', 'monitor.down']), undefined)
  assert.ok(eventTypesProblem(['*', 'monitor.up']))
})
