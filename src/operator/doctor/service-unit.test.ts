import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findUnit } from './service-unit.ts'

const INSTALLED = ['upvane.service', 'upvane@.service', 'ssh.service']

// biome-ignore format: a table is read by its columns
const ROWS: [name: string, enabled: string[], installed: string[], unit: string | undefined][] = [
  ['enabled as one process', ['upvane.service'],                           INSTALLED, 'whole'],
  ['enabled as roles',       ['upvane@api.service', 'upvane@probe.service'], INSTALLED, 'roles'],
  ['installed only',         ['ssh.service'],                              INSTALLED, 'whole'],
  ['a container',            [],                                           [],        undefined],
]

for (const [name, enabled, installed, unit] of ROWS)
  test(`the unit of the service: ${name}`, () => {
    const list = (directory: string) => (directory.endsWith('wants') ? enabled : installed)
    assert.equal(findUnit(list), unit)
  })
