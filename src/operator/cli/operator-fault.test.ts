import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { test } from 'node:test'
import { operatorFault } from './operator-fault.ts'

const failed = (code: string, message: string) => Object.assign(new Error(message), { code })

test('operatorFault: a refused login names the variables to look at', () => {
  assert.equal(
    operatorFault(failed('28P01', 'password authentication failed for user "upvane"')),
    'The database refuses this login. Look at DATABASE_URL and MIGRATE_DATABASE_URL. (password authentication failed for user "upvane")',
  )
})

test('operatorFault: a server without a free connection does run', () => {
  assert.match(
    operatorFault(failed('53300', 'sorry, too many clients already')) ?? '',
    /^PostgreSQL has no connection left\. Raise its max_connections.+too many clients/,
  )
})

for (const [code, message] of [
  ['53100', 'could not extend file "base/16386/16505": No space left on device'],
  ['XX000', 'could not write init file'], // of a new connection
] as const)
  test(`operatorFault: a full disk of PostgreSQL is named: ${message}`, () => {
    assert.equal(
      operatorFault(failed(code, message)),
      `PostgreSQL cannot write: its disk is full. Free space on it, or enlarge it. (${message})`,
    )
  })

test('operatorFault: an error without a text shows its code', () => {
  const error = Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' })
  assert.match(operatorFault(error) ?? '', /^The database cannot be reached.* \(ECONNREFUSED\)$/)
})

test('operatorFault: knows what the system says of a closed port and of a taken one', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  assert.ok(typeof address === 'object' && address !== null)

  const [taken] = await once(createServer().listen(address.port, '127.0.0.1'), 'error').catch(
    (error: unknown) => [error],
  )
  assert.match(operatorFault(taken) ?? '', /^The address to listen on/)

  server.close()
  await once(server, 'close')
  const [refused] = await once(connect(address.port, '127.0.0.1'), 'error').catch(
    (error: unknown) => [error],
  )
  assert.match(operatorFault(refused) ?? '', /^The database cannot be reached/)
})

for (const error of [new Error('ours'), failed('23514', 'violates check'), 'text', undefined])
  test(`operatorFault: ${String(error)} keeps its stack`, () => {
    assert.equal(operatorFault(error), undefined)
  })
