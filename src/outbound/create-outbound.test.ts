import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { StartError } from '../platform/process/start-error.ts'
import { createOutbound } from './create-outbound.ts'
import { openOutboundConnection } from './outbound-connection.ts'

const directory = mkdtempSync(join(tmpdir(), 'upvane-hosts-'))
after(() => rmSync(directory, { recursive: true }))

const outboundWith = (hostsFile: string) =>
  createOutbound({
    allowCidrs: ['127.0.0.0/8', '::1/128'],
    dnsServers: [],
    hostsFile,
    userAgent: 'test',
  })

test('createOutbound: without a hosts file there are no local names but localhost', async () => {
  const outbound = outboundWith(join(directory, 'missing'))
  const { query } = openOutboundConnection(outbound, AbortSignal.timeout(2000))
  assert.deepEqual(await query('localhost', 'A'), ['127.0.0.1'])
})

test('createOutbound: a hosts file that cannot be read is one sentence', () => {
  assert.throws(
    () => outboundWith(directory),
    (error) => error instanceof StartError && /cannot be read \(EISDIR\)/.test(error.message),
  )
})
