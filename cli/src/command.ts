// The shape of a command. Parsing, help and completion read the table of commands.

export type Environment = Readonly<Record<string, string | undefined>>

/** What to offer for a value when the user presses Tab. */
export type Completion = readonly string[] | 'file' | 'program'

export type Option = {
  /** Names the option's value; without it the option is a switch. */
  readonly value?: string
  /** One letter that works in its place. */
  readonly short?: string
  readonly text: string
  /** May be given several times. */
  readonly many?: true
  readonly completion?: Completion
}
export type Options = Readonly<Record<string, Option>>

export type Argument = {
  readonly name: string
  readonly text: string
  readonly isOptional?: true
  /** Takes everything that follows. Only for the last argument. */
  readonly many?: true
  readonly completion?: Completion
}

type Value<One extends Option> = One extends { many: true }
  ? readonly string[]
  : One extends { value: string }
    ? string | undefined
    : boolean

/** The values of options: a string or nothing, a list for `many`, a boolean for a switch. */
export type Values<Given extends Options> = { readonly [Name in keyof Given]: Value<Given[Name]> }

export type AnyValues = Readonly<Record<string, string | readonly string[] | boolean | undefined>>

export type Call<Given = AnyValues> = {
  options: Given
  /** In the order of the command's arguments. Their number is checked. */
  args: readonly string[]
  /** What follows `--`. Empty unless the command takes a program. */
  program: readonly string[]
  env: Environment
  /** The table, for commands about commands. */
  commands: readonly Command[]
}

type Description<Given extends Options> = {
  /** Its words, such as `monitors list`. */
  readonly name: string
  /** One line, for the list of commands. */
  readonly summary: string
  readonly arguments?: readonly Argument[]
  readonly options?: Given
  /** Whether a program with its arguments follows `--`. */
  readonly takesProgram?: true
  /** Whether it speaks to the service, and so has `--profile`. */
  readonly usesApi?: true
  /** Whether it has `--json`. */
  readonly printsJson?: true
  /** Paragraphs of its help. */
  readonly notes?: readonly string[]
  readonly examples?: readonly string[]
}

/** One row of the table of commands: a constant in commands/, and its first word in commands/table.ts. */
export type Command = Description<Options> & {
  /** Resolves when the command is done. Throws on failure. */
  run(call: Call): Promise<void>
}

type CommandInput<Given extends Options> = Description<Given> & {
  run(call: Call<Values<Given> & CommonValues>): Promise<void>
}

type CommonValues = { readonly profile?: string | undefined; readonly json?: boolean }

/** Types the values that `run` gets by the options that are declared. */
export function defineCommand<const Given extends Options = Record<never, never>>(
  input: CommandInput<Given>,
): Command {
  // parseLine makes exactly the values that the options describe.
  return { ...input, run: (call) => input.run(call as Call<never>) }
}

/** 1: it failed. 2: wrong usage. 3: changes are pending. 4: refused for safety. */
type ExitCode = 1 | 2 | 3 | 4

/** An error the user can fix. Any other error is a bug. */
export class CommandError extends Error {
  readonly exitCode: ExitCode

  constructor(exitCode: ExitCode, message: string) {
    super(message)
    this.exitCode = exitCode
  }
}
