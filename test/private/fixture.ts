// The product with people, who are inserted directly where a test is about something else, so that no test waits for
// unrelated slow hashes.
import { execFile } from 'node:child_process'
import { argon2Sync, createHash, createHmac, randomBytes, randomInt } from 'node:crypto'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Environment } from '../../tools/stack.ts'
import { type ProductFixture, type ProductOptions, startProduct } from '../kit/fixture.ts'
import { toId, toUuid } from '../kit/ids.ts'
import { keepAlive, Visitor, type VisitorOptions } from '../kit/private-client.ts'
import { assertReply } from './operations.ts'

export const PASSWORD = 'correct horse battery'
export type Role = 'READ_ONLY' | 'MEMBER' | 'ADMIN' | 'OWNER'
export const ROLES: readonly Role[] = ['READ_ONLY', 'MEMBER', 'ADMIN', 'OWNER']
export type Person = { uuid: string; id: string; email: string; name: string }

export type AppFixture = ProductFixture & {
  /** A visitor who is not signed in, with their own address. */
  visitor(options?: Partial<VisitorOptions>): Visitor
  addPerson(fields?: { email?: string; name?: string; password?: boolean }): Promise<Person>
  addMember(orgId: string, person: Person, role: Role): Promise<void>
  /** Signs in without the slow hash. */
  enter(person: Person, session?: { complete?: boolean; visitor?: Visitor }): Promise<Visitor>
  /** Creates a person with that role, and signs them in. */
  join(orgId: string, role: Role): Promise<{ person: Person; visitor: Visitor }>
  /** Runs an operator command and parses its output. */
  operate(words: string[], env?: Environment): Promise<unknown>
}

const MAIN = join(import.meta.dirname, '../../src/main.ts')
const run = promisify(execFile)
const VISITOR_ADDRESSES = 2 ** 24
const PASSWORD_HASH = hashOf(PASSWORD)

export async function startAppFixture(
  env: Environment = {},
  options: Pick<ProductOptions, 'command' | 'own'> = {},
): Promise<AppFixture> {
  const fixture = await startProduct({ ...options, env: { TRUSTED_PROXIES: '127.0.0.1', ...env } })
  const { db, service, stack } = fixture
  const agent = keepAlive()
  // Files that share a product must not share limits by address.
  let visitors = randomInt(VISITOR_ADDRESSES)
  const visitor: AppFixture['visitor'] = (options = {}) => {
    visitors = (visitors + 1) % VISITOR_ADDRESSES
    const address = `10.${visitors >> 16}.${(visitors >> 8) & 255}.${visitors & 255}`
    return new Visitor({ baseUrl: service.baseUrl, address, agent, assertReply, ...options })
  }
  const addPerson: AppFixture['addPerson'] = async ({ email, name, password = true } = {}) => {
    const address = email ?? `person-${randomBytes(5).toString('hex')}@example.com`
    const { id: uuid } = await db.one<{ id: string }>(
      `insert into users (id, email, name, password_hash) values (new_uuid(), $1, $2, $3) returning id`,
      [address, name ?? 'Person', password ? PASSWORD_HASH : null],
    )
    return { uuid, id: toId('usr', uuid), email: address, name: name ?? 'Person' }
  }
  const addMember: AppFixture['addMember'] = async (orgId, { uuid }, role) => {
    await db.run(
      `insert into members (org_id, user_id, role) values ($1, $2, $3)
       on conflict (org_id, user_id) do update set role = excluded.role`,
      [toUuid(orgId), uuid, role],
    )
  }
  const enter: AppFixture['enter'] = async ({ uuid }, { complete = true, visitor: own } = {}) => {
    const token = randomBytes(32).toString('base64url')
    await db.run(
      `insert into sessions (id, token_hash, user_id, complete, address, agent, expires_at)
       values (new_uuid(), $1, $2, $3, '10.0.0.1', 'Tests/1', now() + interval '1 day')`,
      [sha256(token), uuid, complete],
    )
    const entered = own ?? visitor()
    entered.cookies.set('upvane', token)
    return entered
  }
  return {
    ...fixture,
    visitor,
    addPerson,
    addMember,
    enter,
    async join(orgId, role) {
      const person = await addPerson({ name: role })
      await addMember(orgId, person, role)
      return { person, visitor: await enter(person) }
    },
    async operate(words, more = {}) {
      const whole = { ...stack.env, BASE_URL: service.baseUrl, ...more }
      const { stdout } = await run(process.execPath, [MAIN, ...words, '--json'], { env: whole })
      return JSON.parse(stdout) as unknown
    },
    async stop() {
      agent.destroy()
      await fixture.stop()
    },
  }
}

export const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest()

/** In the stored form, computed without the product. */
export function hashOf(password: string): string {
  const salt = randomBytes(16)
  const cost = { memory: 19_456, passes: 2, parallelism: 1 }
  const made = argon2Sync('argon2id', { message: password, nonce: salt, tagLength: 32, ...cost })
  const text = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')
  return `$argon2id$v=19$m=19456,t=2,p=1$${text(salt)}$${text(made)}`
}

export const stepNow = (): number => Math.floor(Date.now() / 30_000)

/** The code an authenticator app would show. */
export function totp(secret: string, step: number): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const bits = [...secret].map((c) => alphabet.indexOf(c).toString(2).padStart(5, '0')).join('')
  const bytes = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', bytes).update(counter).digest()
  const number = mac.readUInt32BE((mac.at(-1) ?? 0) & 15) & 0x7fff_ffff
  return String(number % 1_000_000).padStart(6, '0')
}
