import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limitedLog } from './log.ts'

test('a server that is away or full needs no stack: every attempt would have the same', () => {
  const { log, lines } = startLog()
  log.error({ err: Object.assign(new Error('too many clients'), { code: '53300' }) }, 'failed')
  log.error({ err: new Error('ours') }, 'failed')
  const [full, ours] = lines.map((line) => JSON.parse(line).err)
  assert.deepEqual(full, { type: 'Error', message: 'too many clients', code: '53300' })
  assert.match(ours.stack, /log\.test\.ts/)
})

test('an error in the log has its message, code and stack, and nothing that hangs on it', () => {
  const { log, lines } = startLog()
  const error = Object.assign(new Error('gone', { cause: new TypeError('deeper') }), {
    code: 'ECONNRESET',
    client: { password: 'hunter2', secretKey: 424242 },
    detail: 'Key (email)=(ana@example.com) already exists.',
  })
  log.warn({ err: error }, 'idle database connection broke')
  const [line = ''] = lines
  assert.doesNotMatch(line, /hunter2|424242|ana@example/)
  const { err } = JSON.parse(line)
  assert.equal(err.type, 'Error')
  assert.equal(err.code, 'ECONNRESET')
  assert.equal(err.cause.message, 'deeper')
  assert.ok(line.length < 3000, String(line.length))
})

test('a database that is gone is a few lines, with a count at the end; requests are all written', () => {
  const { log, lines, close } = startLog()
  for (let round = 0; round < 500; round++) {
    log.error(
      { err: Object.assign(new Error(`try ${round}`), { code: 'ECONNREFUSED' }) },
      'round failed',
    )
    log.info({ requestId: round }, 'request')
  }
  log.warn({ type: 'HTTP', reason: 'NO_PROBE' }, 'check inconclusive')
  log.warn({ type: 'DNS', reason: 'RESOLVER' }, 'check inconclusive')
  close()
  const messages = lines.map((line) => JSON.parse(line))
  const count = (msg: string) => messages.filter((line) => line.msg === msg).length
  assert.equal(count('round failed'), 5)
  assert.equal(count('request'), 500)
  assert.equal(count('check inconclusive'), 2)
  const last = messages.at(-1)
  assert.equal(last.msg, 'similar lines were suppressed')
  assert.equal(last.count, 495)
})

function startLog() {
  const lines: string[] = []
  return { lines, ...limitedLog('info', { write: (line) => lines.push(line), flushSync() {} }) }
}
