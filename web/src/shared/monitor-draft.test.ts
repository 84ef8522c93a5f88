import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiProblem } from '../api/problem.ts'
import {
  EMPTY_DRAFT,
  fromStatuses,
  type MonitorDraft,
  toBody,
  urlProposal,
  withScheme,
} from './monitor-draft.ts'

const draft = (part: Partial<MonitorDraft>): MonitorDraft => ({
  ...EMPTY_DRAFT,
  name: 'One',
  ...part,
})

test('expected status: ranges and lists become codes, and codes become ranges again', () => {
  const { expectedStatus } = toBody(draft({ expectedStatus: '200-203, 301;302 200' }))
  assert.deepEqual(expectedStatus, [200, 201, 202, 203, 301, 302])
  assert.equal(fromStatuses(expectedStatus), '200–203, 301, 302')
})

test('only what the type needs is sent', () => {
  const port = toBody(
    draft({ type: 'PORT', host: ' db.example.com ', port: '5432', url: 'left over' }),
  )
  assert.deepEqual(
    [port.host, port.port, port.url, port.keyword],
    ['db.example.com', 5432, null, null],
  )
  const cron = toBody(draft({ type: 'CRON', periodSeconds: 3600, timeoutSeconds: 'nonsense' }))
  assert.deepEqual([cron.expectedPeriodSec, cron.url, cron.degradedThresholdMs], [3600, null, null])
})

test('headers are one a line', () => {
  const body = toBody(draft({ requestHeaders: 'X-One: 1\n\nAuthorization: Bearer a:b' }))
  assert.deepEqual(body.requestHeaders, { 'X-One': '1', Authorization: 'Bearer a:b' })
  assert.equal(toBody(draft({ requestHeaders: '' })).requestHeaders, null)
})

test('what is no number, list or header is a problem at its field, all of them at once', () => {
  const bad = draft({
    timeoutSeconds: '1.5',
    expectedStatus: '20x',
    requestHeaders: 'nothing',
    isSlowDegraded: true,
    degradedThresholdMs: '',
  })
  assert.throws(
    () => toBody(bad),
    (error) =>
      error instanceof ApiProblem &&
      error.details.map(({ path }) => path).join() ===
        'expectedStatus,requestHeaders,timeoutSeconds,degradedThresholdMs',
  )
})

test('a URL with another scheme gets a proposal, others do not', () => {
  assert.equal(urlProposal(draft({ url: 'shop.example.com:8443/x' })), undefined)
  assert.equal(urlProposal(draft({ url: 'ftp://shop.example.com' })), 'https://shop.example.com')
  assert.equal(urlProposal(draft({ url: 'https://shop.example.com' })), undefined)
  assert.equal(urlProposal(draft({ type: 'DNS', url: 'example.com' })), undefined)
})

// biome-ignore format: a table is read by its columns
const urls: [typed: string, url: string][] = [
  ['',                          ''],
  [' example.com ',             'https://example.com'],
  ['example.com:8443/health',   'https://example.com:8443/health'],
  ['localhost:3000',            'https://localhost:3000'],
  ['http://example.com',        'http://example.com'],
  ['HTTPS://example.com',       'HTTPS://example.com'],
  ['ftp://example.com',         'ftp://example.com'],
  ['javascript:alert(1)',       'javascript:alert(1)'],
  ['user:pass@example.com',     'user:pass@example.com'],
]
for (const [typed, url] of urls)
  test(`"${typed}" is sent as "${url}"`, () => {
    assert.equal(withScheme(typed), url)
    assert.equal(toBody(draft({ url: typed })).url, url)
  })

test('the grace period is typed in minutes and sent in seconds', () => {
  const grace = (graceMinutes: string) => toBody(draft({ type: 'CRON', graceMinutes })).graceSeconds
  assert.deepEqual(['5', '1.5', '0', ' 10 ', '0,25'].map(grace), [300, 90, 0, 600, 15])
  assert.equal(toBody(draft({ graceMinutes: 'nonsense' })).graceSeconds, 300)
  for (const wrong of ['', 'soon'])
    assert.throws(
      () => grace(wrong),
      (error) => error instanceof ApiProblem && error.details[0]?.path === 'graceSeconds',
    )
})
