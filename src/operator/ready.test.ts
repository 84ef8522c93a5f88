import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { CommandContext } from './cli/command.ts'
import { READY } from './ready.ts'

let status = 503
const server = createServer((_request, response) => {
  response.writeHead(status).end(JSON.stringify({ reasons: status === 200 ? [] : ['no bus'] }))
})
after(() => server.close())

function run(flags: Record<string, string>, port: number | string): Promise<unknown> {
  // The configuration is wrong: the process that has it ends, which takes it a moment.
  const environment = { INTERNAL_HOST: '0.0.0.0', INTERNAL_PORT: String(port), PORT: 'none' }
  return READY.run(new CommandContext(flags, [], environment))
}

test('ready asks the process of this machine, and waits only while it runs', async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // Safe because it listens on TCP.
  const { port } = server.address() as AddressInfo
  assert.deepEqual(await run({}, port), { ready: false, reasons: ['no bus'] })
  const waiting = run({ wait: '30', pid: String(process.pid) }, port)
  status = 200
  assert.deepEqual(await waiting, { ready: true, reasons: [] })
  status = 503
  assert.deepEqual(await run({ wait: '30', pid: '999999999' }, port), {
    ready: false,
    reasons: ['process 999999999 has ended'],
  })
  assert.deepEqual(await run({}, 'none'), {
    ready: false,
    reasons: ['nothing answers at port NaN of 127.0.0.1'],
  })
  await assert.rejects(run({ wait: 'long' }, port), /--wait must be a whole number/)
})
