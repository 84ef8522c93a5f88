// Public ids and their UUIDs, reimplemented on purpose: the tests must notice if the product's format changes.
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const TEXT_LENGTH = 26

export function toUuid(id: string): string {
  const text = id.slice(id.indexOf('_') + 1)
  const value = [...text].reduce((sum, c) => sum * 32n + BigInt(ALPHABET.indexOf(c)), 0n)
  const hex = value.toString(16).padStart(32, '0')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

export function toId(prefix: string, uuid: string): string {
  let value = BigInt(`0x${uuid.replaceAll('-', '')}`)
  let text = ''
  while (text.length < TEXT_LENGTH) {
    text = ALPHABET.charAt(Number(value % 32n)) + text
    value /= 32n
  }
  return `${prefix}_${text}`
}
