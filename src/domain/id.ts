// Ids people see: `<prefix>_` and a UUIDv7 in Crockford's base32. Both forms sort by time of birth.

export type IdPrefix =
  | 'mon' // monitor
  | 'inc' // incident
  | 'sp' // status page
  | 'sec' // section of a status page
  | 'cmp' // component of a status page
  | 'mw' // maintenance window
  | 'sin' // status incident
  | 'siu' // update of a status incident
  | 'whe' // webhook endpoint
  | 'whd' // webhook delivery
  | 'wha' // webhook attempt
  | 'evt' // event
  | 'org' // organization
  | 'key' // API key
  | 'chk' // check evidence
  | 'itl' // line of an incident's timeline
  | 'usr' // user
  | 'act' // alert contact
  | 'sub' // subscriber of a status page

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const TEXT_LENGTH = 26
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const ENCODED = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/

/** `mon`, `01940000-…` -> `mon_01…`. */
export function toPublicId(prefix: IdPrefix, uuid: string): string {
  if (!UUID.test(uuid)) throw new TypeError(`Not a UUID: ${uuid}`)
  let rest = BigInt(`0x${uuid.replaceAll('-', '')}`)
  let text = ''
  for (let i = 0; i < TEXT_LENGTH; i++) {
    text = ALPHABET.charAt(Number(rest & 31n)) + text
    rest >>= 5n
  }
  return `${prefix}_${text}`
}

/** The UUID behind a public id; undefined for anything that was never one of ours. */
export function fromPublicId(prefix: IdPrefix, id: string): string | undefined {
  if (!id.startsWith(`${prefix}_`)) return undefined
  const text = id.slice(prefix.length + 1)
  if (!ENCODED.test(text)) return undefined
  let value = 0n
  for (const character of text) value = (value << 5n) | BigInt(ALPHABET.indexOf(character))
  return toUuidText(value.toString(16).padStart(32, '0'))
}

/** When, which of several at that microsecond, and 8 random bytes that keep ids of different processes apart. */
export type IdSeed = { unixMicros: bigint; sequence: number; random: Uint8Array }

/**
 * A UUIDv7 whose first 60 free bits are milliseconds and the microseconds inside them, followed by the
 * sequence: ids made one after the other in a transaction sort in that order.
 */
export function uuidV7({ unixMicros, sequence, random }: IdSeed): string {
  if (random.length < 8) throw new RangeError('8 random bytes are needed')
  const bytes = new Uint8Array(16)
  const view = new DataView(bytes.buffer)
  const millis = unixMicros / 1000n
  view.setUint16(0, Number(millis >> 32n))
  view.setUint32(2, Number(millis & 0xffff_ffffn))
  view.setUint16(6, 0x7000 | Number(unixMicros % 1000n))
  bytes.set(random.subarray(0, 8), 8)
  view.setUint16(8, 0x8000 | (sequence & 0x3fff))
  return toUuidText([...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join(''))
}

function toUuidText(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
