// What was typed as a command: "pause checkout". Pure.

import { commandWords } from '../../messages/command-words.ts'
import type { MonitorAction } from '../../messages/monitor-actions.ts'

export type PaletteCommand = {
  action: MonitorAction
  /** What it should be done to, as far as it is typed. */
  rest: string
}

const FEWEST_LETTERS = 2

const listPhrases = () =>
  Object.entries(commandWords)
    // Safe because the keys of the table are actions.
    .flatMap(([action, phrases]) =>
      phrases.map((phrase) => ({ action: action as MonitorAction, phrase })),
    )
    .toSorted((one, other) => other.phrase.length - one.phrase.length)

/** A whole phrase and what follows it, or the beginning of a phrase. Undefined for anything else. */
export function readCommand(text: string): PaletteCommand | undefined {
  const typed = text.trimStart().toLowerCase()
  const phrases = listPhrases()
  const whole = phrases.find(({ phrase }) => typed === phrase || typed.startsWith(`${phrase} `))
  if (whole !== undefined)
    return { action: whole.action, rest: text.trimStart().slice(whole.phrase.length).trim() }
  if (typed.trimEnd().length < FEWEST_LETTERS) return undefined
  const begun = phrases.findLast(({ phrase }) => phrase.startsWith(typed))
  return begun && { action: begun.action, rest: '' }
}

/** What to put into the field so that monitors are listed for an action. */
export const commandText = (action: MonitorAction): string => `${commandWords[action][0]} `
