// JSON just inside the limits of an operation, in the shapes that cost the most to parse and to validate.
type Limits = { maxBytes: number; maxTokens: number; maxDepth: number }

/** `tokens`: of one unit with its comma. `pad` makes a unit longer without more tokens. */
type List = {
  open: string
  close: string
  tokens: number
  unit(number: number, pad: string): string
}

// Of what encloses the units, and as many as make no difference.
const SPARE_TOKENS = 16
const SPARE_BYTES = 64
const MAX_PAD = 10_000

/** As many units as the limits allow, each as long as they allow. */
function fill({ maxBytes, maxTokens }: Limits, { open, close, tokens, unit }: List): string {
  const bytes = maxBytes - SPARE_BYTES - open.length - close.length
  const shortest = unit(100_000, '').length + 1
  const times = Math.min(
    Math.floor((maxTokens - SPARE_TOKENS) / tokens),
    Math.floor(bytes / shortest),
  )
  const pad = 'a'.repeat(Math.min(MAX_PAD, Math.floor(bytes / times) - shortest))
  const units = Array.from({ length: times }, (_, number) => unit(number, pad))
  return `${open}${units.join(',')}${close}`
}

const blanks = (pad: string): string => ' '.repeat(pad.length)

function nested({ maxBytes, maxDepth }: Limits, open: string, close: string): string {
  const times = maxDepth - 2
  const text = 'a'.repeat(maxBytes - SPARE_BYTES - times * (open.length + close.length))
  return `{"name":${open.repeat(times)}"${text}"${close.repeat(times)}}`
}

export const SHAPES: readonly ((limits: Limits) => string)[] = [
  (limits) =>
    fill(limits, { open: '{', close: '}', tokens: 2, unit: (n, pad) => `"${n}${pad}":1` }),
  (limits) => nested(limits, '[', ']'),
  (limits) => nested(limits, '{"a":', '}'),
  (limits) =>
    fill(limits, {
      open: '{"name":[',
      close: ']}',
      tokens: 2,
      unit: (_, pad) => `{${blanks(pad)}}`,
    }),
  (limits) =>
    fill(limits, {
      open: '{"name":[',
      close: ']}',
      tokens: 1,
      unit: (_, pad) => `0${blanks(pad)}`,
    }),
  (limits) =>
    fill(limits, {
      open: '{"requestHeaders":{',
      close: '}}',
      tokens: 2,
      unit: (n, pad) => `"X-${n}":"${pad}"`,
    }),
  ({ maxBytes }) => `{"name":"${String.raw`\u0000`.repeat((maxBytes - SPARE_BYTES) / 6)}"}`,
  (limits) =>
    fill(limits, {
      open: '{"sections":[',
      close: ']}',
      tokens: 6,
      unit: (_, pad) => `{"name":"${pad}","components":[]}`,
    }),
  (limits) =>
    fill(limits, {
      open: '{"monitorIds":[',
      close: ']}',
      tokens: 1,
      unit: (n, pad) => `"mon_${n}${pad}"`,
    }),
]
