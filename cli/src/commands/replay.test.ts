import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CommandError } from '../command.ts'
import { readSettings } from './replay.ts'

// biome-ignore format: a table is read by its columns
const SETTINGS: [given: string[], expected: object][] = [
  [[],                                                      {}],
  [['degradedThresholdMs=500'],                             { degradedThresholdMs: 500 }],
  [['degradedThresholdMs=off'],                             { degradedThresholdMs: 0 }],
  [['degradedThresholdMode=p95', 'degradedSamples=5'],      { degradedThresholdMode: 'P95', degradedSamples: 5 }],
  [['expectedStatus=200,503'],                              { expectedStatus: ['200', '503'] }],
  [['delayMinutes=0'],                                      { delayMinutes: 0 }],
  [['delayMinutes=1', 'delayMinutes=2'],                    { delayMinutes: 2 }],
]
for (const [given, expected] of SETTINGS)
  test(`--set ${given.join(' ') || 'nothing'}`, () => {
    assert.deepEqual(readSettings(given), expected)
  })

for (const given of [
  'name=x',
  'degradedSamples',
  'degradedSamples=',
  'degradedSamples=0',
  'expectedStatus=20',
  'delayMinutes=61',
  '__proto__=1',
  '=1',
])
  test(`--set ${given} is refused`, () => {
    assert.throws(
      () => readSettings([given]),
      (error) => error instanceof CommandError && error.exitCode === 2,
    )
  })
