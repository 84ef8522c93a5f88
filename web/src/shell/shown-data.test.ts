import assert from 'node:assert/strict'
import { test } from 'node:test'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { shownDataAt } from './shown-data.ts'

const POLLED = { refetchInterval: 15_000 }
const ROWS = ['org_1', 'GET /overview/monitors', {}]
const FILTERED = ['org_1', 'GET /overview/monitors', { query: { q: 'x' } }]
const PILL = ['org_1', 'GET /incidents', {}]
const TAGS = ['org_1', 'GET /tags', {}]

type Read = [queryKey: readonly unknown[], at: number | undefined, options?: object]

/** The screen after its reads: each was read at a time, or never. */
function shown(...reads: Read[]): number | undefined {
  const client = new QueryClient()
  for (const [queryKey, updatedAt] of reads)
    if (updatedAt !== undefined) client.setQueryData(queryKey, [], { updatedAt })
  const stops = reads
    .filter(([, , options]) => options !== undefined)
    .map(([queryKey, , options]) => {
      const observer = new QueryObserver(client, {
        queryKey,
        queryFn: () => new Promise<never>(() => undefined),
        staleTime: Infinity,
        ...options,
      })
      return observer.subscribe(() => undefined)
    })
  try {
    return shownDataAt(client.getQueryCache())
  } finally {
    for (const stop of stops) stop()
    client.clear()
  }
}

test('shownDataAt: another response makes the rows no newer', () => {
  assert.equal(shown([ROWS, 1000, POLLED], [PILL, 9000, POLLED]), 1000)
  assert.equal(shown([ROWS, 9000, POLLED], [PILL, 1000, POLLED]), 1000)
})

test('shownDataAt: what is not read again by itself is kept current by the stream', () => {
  assert.equal(shown([ROWS, 5000, POLLED], [TAGS, 1000, {}]), 5000)
  assert.equal(shown([TAGS, 1000, {}], [PILL, 2000, { refetchInterval: false }]), 1000)
})

test('shownDataAt: with a filter that was never read, the time of the rows before it', () => {
  assert.equal(shown([ROWS, 3000], [FILTERED, undefined, POLLED], [PILL, 9000, POLLED]), 3000)
})

test('shownDataAt: what was left is not shown, and a screen that still loads has no data', () => {
  assert.equal(shown([TAGS, 1000], [ROWS, 5000, POLLED]), 5000)
  assert.equal(shown([TAGS, undefined, {}], [ROWS, 5000, POLLED]), undefined)
  assert.equal(shown(), undefined)
})
