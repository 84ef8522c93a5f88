import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import { diskFindings, readDiskUse } from './disk-watch.ts'

test('a disk is filling up beyond the watermark, not at it', () => {
  const disk = (usedBytes: number) => ({ path: '/data', usedBytes, totalBytes: 1000 })
  assert.deepEqual(diskFindings([disk(850)], 85), [])
  assert.deepEqual(diskFindings([disk(861)], 85), [
    { code: 'DISK_FILLING', subject: '/data', message: 'The disk of /data is 86% full' },
  ])
})

test('the disk of a directory is read; a directory that is not there says nothing', async () => {
  const use = await readDiskUse(tmpdir())
  assert.ok(use && use.totalBytes > 0 && use.usedBytes <= use.totalBytes)
  assert.equal(await readDiskUse('/no/such/directory'), undefined)
})
