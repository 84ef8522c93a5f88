import { type ParseArgsConfig, parseArgs } from 'node:util'

export type Environment = Readonly<Record<string, string | undefined>>

/** One command of `upv`: a file in commands/ that exports it, and a line in main.ts. */
export type Command = {
  name: string
  /** One line, for the list of commands. */
  summary: string
  help: string
  /** Resolves when the command is done. Throws on failure. */
  run(args: string[], env: Environment): Promise<void>
}

/** An error the user can fix. Any other error is a bug. */
export class CommandError extends Error {
  readonly exitCode: 1 | 2

  /** 1: the command failed. 2: wrong usage. */
  constructor(exitCode: 1 | 2, message: string) {
    super(message)
    this.exitCode = exitCode
  }
}

/** Parses options with `parseArgs` and reports its errors as usage errors. */
export function readOptions<Options extends NonNullable<ParseArgsConfig['options']>>(
  args: string[],
  options: Options,
) {
  try {
    return parseArgs({ args, options }).values
  } catch (error) {
    if (isParseError(error)) throw new CommandError(2, error.message)
    throw error
  }
}

function isParseError(error: unknown): error is Error {
  if (!(error instanceof Error && 'code' in error)) return false
  return String(error.code).startsWith('ERR_PARSE_ARGS')
}
