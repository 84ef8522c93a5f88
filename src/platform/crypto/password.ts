// Passwords are stored only as slow hashes. Each hash includes its parameters, so that the cost can rise later without
// anyone choosing a new password.
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { ConcurrencyLimit } from '../limits/concurrency-limit.ts'
import { assertOutsideTransaction } from '../transaction-scope.ts'

const hash = promisify(argon2)

const SALT_BYTES = 16
const HASH_BYTES = 32
// 19 MiB and about 50 ms of a core.
const COST = { memory: 19_456, passes: 2, parallelism: 1 }
// Node has four threads for such work, which also resolve names and read files.
const hashLimit = new ConcurrencyLimit({ slots: 2, waiting: 100 })
const FORM = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

type Cost = typeof COST

/** `$argon2id$v=19$m=…,t=…,p=…$salt$hash`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const digest = await slowHash(password, salt, HASH_BYTES, COST)
  const { memory, passes, parallelism } = COST
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${text(salt)}$${text(digest)}`
}

export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const [, memory, passes, parallelism, salt = '', expected = ''] = FORM.exec(stored) ?? []
  if (expected === '') throw new Error('A stored password has no form that is known')
  const cost = {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
  }
  const wanted = Buffer.from(expected, 'base64')
  const digest = await slowHash(password, Buffer.from(salt, 'base64'), wanted.length, cost)
  return timingSafeEqual(digest, wanted)
}

function slowHash(password: string, salt: Buffer, length: number, cost: Cost): Promise<Buffer> {
  assertOutsideTransaction('Hashing a password')
  // A text can have several Unicode spellings, and keyboards differ in which one they send.
  const message = password.normalize('NFKC')
  return hashLimit.run(() => hash('argon2id', { message, nonce: salt, tagLength: length, ...cost }))
}

const text = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '')
