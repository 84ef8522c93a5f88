import { type ParseArgsConfig, parseArgs } from 'node:util'

export type Environment = Readonly<Record<string, string | undefined>>

/** One command of `upv`: a file in commands/ that exports one, and a line in main.ts. */
export type Command = {
  name: string
  /** One line, for the list of commands. */
  summary: string
  help: string
  /** Resolves when the command has done its work. Failures are thrown. */
  run(args: string[], env: Environment): Promise<void>
}

/** What the person at the terminal can put right. Everything else is a fault of ours. */
export class CommandError extends Error {
  readonly exitCode: 1 | 2

  /** 1: it could not be done. 2: it was not asked for properly. */
  constructor(exitCode: 1 | 2, message: string) {
    super(message)
    this.exitCode = exitCode
  }
}

/** Options as `parseArgs` reads them, with its complaints as ours. */
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
