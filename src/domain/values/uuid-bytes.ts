// UUIDs inside tokens, where every character counts.
export const UUID_BYTES = 16

export const toUuidBytes = (uuid: string): Buffer => Buffer.from(uuid.replaceAll('-', ''), 'hex')

export function readUuid(bytes: Buffer, at: number): string {
  const hex = bytes.subarray(at, at + UUID_BYTES).toString('hex')
  return [
    [0, 8],
    [8, 12],
    [12, 16],
    [16, 20],
    [20, 32],
  ]
    .map(([a, b]) => hex.slice(a, b))
    .join('-')
}
