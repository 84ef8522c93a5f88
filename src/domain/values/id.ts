// Public IDs: `<prefix>_` and a UUIDv7 in Crockford's base32. Both forms sort by creation time.

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
  | 'itl' // entry of an incident's timeline
  | 'usr' // user
  | 'ses' // session of a user
  | 'inv' // invitation
  | 'aud' // entry of the audit log
  | 'act' // alert contact
  | 'sub' // subscriber of a status page
  | 'tag' // tag of monitors
  | 'blk' // one change to many monitors
  | 'mvw' // saved view of the monitor list
  | 'pdv' // device that receives notifications
  | 'pky' // passkey of a user

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
// 128 bits are 26 characters of 5 bits, with 2 to spare. Read as 8 bits and six groups of 20, they are whole hex
// digits, whole characters and small numbers: a bigint would be ten times slower.
const PAIRS = Array.from(
  { length: 1024 },
  (_, bits) => ALPHABET.charAt(bits >>> 5) + ALPHABET.charAt(bits & 31),
)
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const ENCODED = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/

/** `mon`, `01940000-…` -> `mon_01…`. */
export function toPublicId(prefix: IdPrefix, uuid: string): string {
  if (!UUID.test(uuid)) throw new TypeError(`Not a UUID: ${uuid}`)
  const hex = uuid.replaceAll('-', '')
  let text = pairOf(Number.parseInt(hex.slice(0, 2), 16))
  for (let at = 2; at < hex.length; at += 5) {
    const bits = Number.parseInt(hex.slice(at, at + 5), 16)
    text += pairOf(bits >>> 10) + pairOf(bits & 1023)
  }
  return `${prefix}_${text}`
}

/** The UUID behind a public ID; undefined for anything that is not one. */
export function fromPublicId(prefix: IdPrefix, id: string): string | undefined {
  if (!id.startsWith(`${prefix}_`)) return undefined
  const text = id.slice(prefix.length + 1)
  if (!ENCODED.test(text)) return undefined
  let hex = toHex(bitsOf(text.slice(0, 2)), 2)
  for (let at = 2; at < text.length; at += 4) hex += toHex(bitsOf(text.slice(at, at + 4)), 5)
  return toUuidText(hex)
}

const pairOf = (bits: number): string => PAIRS[bits] ?? ''
const toHex = (bits: number, digits: number): string => bits.toString(16).padStart(digits, '0')

function bitsOf(text: string): number {
  let bits = 0
  for (const character of text) bits = (bits << 5) | ALPHABET.indexOf(character)
  return bits
}

/**
 * The time, the position among several IDs of that microsecond, and 8 random bytes that keep different processes apart.
 */
type IdSeed = { unixMicros: bigint; sequence: number; random: Uint8Array }

/**
 * A UUIDv7 whose first 60 free bits are the milliseconds and the microseconds within them, followed by the sequence:
 * IDs created one after the other in a transaction sort in that order.
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

/** The id of nothing and nobody. */
export const NIL_UUID = '00000000-0000-0000-0000-000000000000'
