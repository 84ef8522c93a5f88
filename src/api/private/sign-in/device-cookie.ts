// Remembers that a browser was signed in to an account, so that strangers who use up the account's attempts do not lock
// out its owner. The cookie gives no access. It is signed, bound to the account, and expires.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { DEVICE_DAYS, type KnownDevice } from '../../../domain/people/session.ts'
import { hostCookie } from './session-cookie.ts'

const ID_BYTES = 16
const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const FORM = new RegExp(`^${UUID}\\.[A-Za-z0-9_-]{22}\\.[0-9a-z]{1,9}\\.[A-Za-z0-9_-]{43}$`)

export type DeviceCookies = {
  /** Undefined if it is missing, not ours, or expired. */
  read(headers: IncomingHttpHeaders): KnownDevice | undefined
  /** Keeps the id of a known browser, and with it its count of attempts. */
  set(userUuid: string, known: KnownDevice | undefined): string
}

export function deviceCookies(baseUrl: string, key: Buffer): DeviceCookies {
  const cookie = hostCookie(baseUrl, 'upvane-device', FORM)
  const sign = (text: string): Buffer => createHmac('sha256', key).update(text).digest()
  return {
    read(headers) {
      const [userUuid = '', id = '', expires = '', mac = ''] = (cookie.read(headers) ?? '').split(
        '.',
      )
      if (mac === '' || Number.parseInt(expires, 36) * 1000 < Date.now()) return undefined
      const expected = sign(`${userUuid}.${id}.${expires}`)
      const given = Buffer.from(mac, 'base64url')
      return timingSafeEqual(given, expected) ? { userUuid, id } : undefined
    },
    set(userUuid, known) {
      const isSame = known?.userUuid === userUuid
      const id = isSame ? known.id : randomBytes(ID_BYTES).toString('base64url')
      const expiresAt = new Date(Date.now() + DEVICE_DAYS * 86_400_000)
      const text = `${userUuid}.${id}.${Math.floor(expiresAt.getTime() / 1000).toString(36)}`
      return cookie.set(`${text}.${sign(text).toString('base64url')}`, expiresAt)
    },
  }
}
