import type { Command } from '../../command.ts'
import { toBash } from './bash.ts'
import { toFish } from './fish.ts'
import { toZsh } from './zsh.ts'

/** A script for each shell. It does not run `upv`. */
export const COMPLETIONS = { bash: toBash, zsh: toZsh, fish: toFish } satisfies Readonly<
  Record<string, (commands: readonly Command[]) => string>
>

export type Shell = keyof typeof COMPLETIONS
