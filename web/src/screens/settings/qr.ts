import { encode } from 'uqr'

// The modules of larger codes would be too small for a camera at the size in which they are shown.
const MAX_VERSION = 15

/** Rows of modules; true is dark. Throws if the text does not fit. */
export function toQr(text: string): boolean[][] {
  return encode(text, { ecc: 'L', maxVersion: MAX_VERSION, border: 0 }).data
}
