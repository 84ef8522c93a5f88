// A visitor who knows a page's password has a signed cookie. Its key derives from the master key and the password hash,
// so a new password ends every session and nothing is stored.
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { MasterKeys } from '../platform/crypto/encryption.ts'

const COOKIE = 'upvane_page'
const LIFE_SECONDS = 30 * 86_400
const KEY_BYTES = 32

type ProtectedPage = { pageId: string; passwordHash: string }

export class PageSessions {
  readonly #keys: MasterKeys

  constructor(keys: MasterKeys) {
    this.#keys = keys
  }

  /** A `Set-Cookie` value for this page only. */
  open(page: ProtectedPage, options: { path: string; isSecure: boolean; nowMs: number }): string {
    const { path, isSecure, nowMs } = options
    const expires = Math.floor(nowMs / 1000) + LIFE_SECONDS
    const master = this.#keys.byId.get(this.#keys.current) ?? Buffer.alloc(0)
    const value = `${expires}.${sign(master, page, expires).toString('base64url')}`
    const parts = [
      `${COOKIE}=${value}`,
      `Path=${path}`,
      `Max-Age=${LIFE_SECONDS}`,
      'HttpOnly',
      'SameSite=Lax',
      ...(isSecure ? ['Secure'] : []),
    ]
    return parts.join('; ')
  }

  isOpen(page: ProtectedPage, cookies: string, nowMs: number): boolean {
    return valuesOf(cookies).some((value) => {
      const [, expires = '', signature = ''] = /^(\d{1,12})\.([\w-]{43})$/.exec(value) ?? []
      if (Number(expires) * 1000 <= nowMs) return false
      const given = Buffer.from(signature, 'base64url')
      // The master key may have changed since: older keys that are still configured are valid.
      return this.#keys.byId
        .values()
        .some((master) => isSame(sign(master, page, Number(expires)), given))
    })
  }
}

function sign(master: Buffer, { pageId, passwordHash }: ProtectedPage, expires: number): Buffer {
  const key = hkdfSync('sha256', master, passwordHash, 'status page session', KEY_BYTES)
  return createHmac('sha256', Buffer.from(key)).update(`${pageId}|${expires}`).digest()
}

function isSame(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Cookies of the same name arrive in any order: a page below another page's path sends both. */
function valuesOf(cookies: string): string[] {
  return cookies.split(';').flatMap((pair) => {
    const [name, value] = pair.trim().split('=', 2)
    return name === COOKIE && value !== undefined ? [value] : []
  })
}
