// Values of options, checked before anything is sent.
import { CommandError } from '../command.ts'
import { parseDuration } from '../terminal/format.ts'

/** A list with commas, each one of `allowed`, in any case. Undefined if nothing was given. */
export function readChoices<Choice extends string>(
  option: string,
  given: readonly string[],
  allowed: readonly Choice[],
): Choice[] | undefined {
  const texts = given.flatMap((text) => text.split(','))
  if (texts.length === 0) return undefined
  return texts.map((text) => readChoice(option, text, allowed))
}

export function readChoice<Choice extends string>(
  option: string,
  text: string,
  allowed: readonly Choice[],
): Choice {
  const found = allowed.find((each) => each === text.trim().toUpperCase())
  if (found !== undefined) return found
  throw new CommandError(2, `--${option} must be one of ${allowed.join(', ')}.`)
}

export function readWhole(
  option: string,
  text: string,
  [from, to]: readonly [from: number, to: number],
): number {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (number >= from && number <= to) return number
  throw new CommandError(2, `--${option} must be a whole number from ${from} to ${to}.`)
}

/** Seconds. */
export function readDuration(
  option: string,
  text: string,
  [from, to]: readonly [from: string, to: string],
): number {
  const seconds = parseDuration(text)
  const [least, most] = [parseDuration(from) ?? 0, parseDuration(to) ?? 0]
  if (seconds !== undefined && seconds >= least && seconds <= most) return seconds
  throw new CommandError(
    2,
    `--${option} must be a duration from ${from} to ${to}, such as ${from}.`,
  )
}

/** A number with up to two decimals. */
export function readRatio(
  option: string,
  text: string,
  [from, to]: readonly [from: number, to: number],
): number {
  const number = /^\d{1,3}(?:\.\d{1,2})?$/.test(text) ? Number(text) : Number.NaN
  if (number >= from && number <= to) return number
  throw new CommandError(2, `--${option} must be a number from ${from} to ${to}, such as 1.5.`)
}
