import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { hashPassword } from './crypto/password.ts'
import { assertOutsideTransaction, runInTransactionScope } from './transaction-scope.ts'

test('a password is hashed outside a transaction, and inside one it is an error', async () => {
  assert.match(await hashPassword('correct horse battery'), /^\$argon2id\$/)
  await assert.rejects(
    runInTransactionScope(() => hashPassword('correct horse battery')),
    /Hashing a password is not allowed inside a transaction/,
  )
})

test('the scope ends with the transaction, also for what was started inside it', async () => {
  let later: Promise<void> | undefined
  const ended = Promise.withResolvers<void>()
  await runInTransactionScope(async () => {
    later = ended.promise.then(() => assertOutsideTransaction('Waiting'))
    await delay(0)
    assert.throws(() => assertOutsideTransaction('Waiting'), /Waiting is not allowed/)
  })
  ended.resolve()
  await later
  assertOutsideTransaction('Waiting')
})

test('one transaction says nothing about work beside it', async () => {
  const inside = runInTransactionScope(() => delay(10))
  assertOutsideTransaction('Waiting')
  await inside
})
