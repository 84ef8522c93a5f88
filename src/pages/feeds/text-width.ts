// How wide a text is in Verdana at 11 px, without a browser to measure it.

const SIZE_PX = 11

// The font's own widths, in thousandths of its size.
// biome-ignore format: a table is read by its rows
const WIDTHS: readonly [thousandths: number, characters: string][] = [
  [274, 'il'], [269, "'"], [344, 'j'], [352, 'f '], [364, ',.'], [394, 't!'], [421, 'I'], [427, 'r'],
  [454, '()-/:;[]\\|'], [455, 'J'], [459, '"'], [521, 'cs'], [525, 'z'], [545, '?'], [557, 'L'],
  [575, 'F'], [592, 'kvxy'], [596, 'e'], [601, 'a'], [603, 'P'], [607, 'o'], [615, 'Y'], [616, 'T'],
  [623, 'bdgpq'], [632, 'E'], [633, 'hnu'], [636, '0123456789$*_`–'], [684, 'ASV'], [685, 'XZ'],
  [686, 'B'], [693, 'K'], [695, 'R'], [698, 'C'], [727, '&'], [732, 'U'], [748, 'N'], [751, 'H'],
  [771, 'D'], [775, 'G'], [787, 'OQ'], [818, '#+<=>^w…'], [843, 'M'], [973, 'm'], [989, 'W'],
  [1000, '@—'], [1076, '%'],
]
const WIDTH_OF: ReadonlyMap<string, number> = new Map(
  WIDTHS.flatMap(([width, characters]) => [...characters].map((one) => [one, width] as const)),
)

const FULL = 1000
const LIKELY = 640

/** In whole pixels. Not exact if the table lacks a character; then it is rather too wide. */
export function textWidth(text: string): { width: number; isExact: boolean } {
  const characters = [...text.normalize('NFC')]
  const sum = characters.reduce((total, one) => total + (knownWidth(one) ?? likelyWidth(one)), 0)
  return {
    width: Math.max(1, Math.ceil((sum * SIZE_PX) / 1000)),
    isExact: characters.every((one) => knownWidth(one) !== undefined),
  }
}

/** A letter with an accent is as wide as the letter. */
const knownWidth = (character: string): number | undefined =>
  WIDTH_OF.get(character) ?? WIDTH_OF.get(character.normalize('NFD').slice(0, 1))

/** Chinese, Japanese, Korean and pictures fill a square. */
const likelyWidth = (character: string): number =>
  /[\u1100-\uffee]|\p{Extended_Pictographic}/u.test(character) ? FULL : LIKELY
