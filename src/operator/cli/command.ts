// The shape of a command. The command line, the manual and the tests read the command table.
import { type Config, readConfig } from '../../platform/config/config.ts'
import type { LoadedFile } from '../../platform/config/env-file.ts'
import { Database, type DatabaseRole } from '../../store/core/db.ts'
import { OrganizationSecrets } from '../../store/core/organization-secrets.ts'
import type { Flags } from './flags.ts'

/** `value` names the option's value; without it the option is a switch. */
export type CommandOption = Readonly<{ value?: string; text: string }>

export type Command = Readonly<{
  /** Its words, such as `org create`. */
  name: string
  summary: string
  /** Names of its positional arguments, such as `org`. The last one is optional if it ends with `?`. */
  arguments?: readonly string[]
  options?: Readonly<Record<string, CommandOption>>
  /** Paragraphs of its manual. */
  manual?: readonly string[]
  examples?: readonly string[]
  /** Whether it changes anything; then it writes an entry to the operator log. */
  changes: boolean
  /** Runs even if the environment file has problems, and reports them itself. */
  reportsFileProblems?: boolean
  run(context: CommandContext): Promise<unknown>
  /** For people. Without it, and with --json, the outcome is printed as JSON. */
  format?(outcome: never): string
  /** 0 if not defined. */
  exitCode?(outcome: never): number
}>

const CONNECTIONS = 2

/** The context of a command. Connections open on first use. */
export class CommandContext {
  readonly flags: Flags
  readonly args: readonly string[]
  readonly environment: NodeJS.ProcessEnv
  /** Its problems are empty unless the command reports them itself. */
  readonly environmentFile: LoadedFile
  readonly #databases = new Map<DatabaseRole, Database>()
  #config: Config | undefined
  #secrets: OrganizationSecrets | undefined

  constructor(
    flags: Flags,
    args: readonly string[],
    environment = process.env,
    environmentFile: LoadedFile = { problems: [], names: new Set() },
  ) {
    this.environmentFile = environmentFile
    this.flags = flags
    this.args = args
    this.environment = environment
  }

  get config(): Config {
    this.#config ??= readConfig(this.environment)
    return this.#config
  }

  get engine(): Database {
    return this.#open('upvane_engine')
  }

  get people(): Database {
    return this.#open('upvane_people')
  }

  get secrets(): OrganizationSecrets {
    this.#secrets ??= new OrganizationSecrets(this.config.masterKeys)
    return this.#secrets
  }

  /** The positional argument, or the option of the same name. */
  argument(index: number, option: string): Flags {
    const given = this.args[index]
    return given === undefined ? this.flags : { ...this.flags, [option]: given }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#databases.values()].map((database) => database.close()))
  }

  #open(role: DatabaseRole): Database {
    const known = this.#databases.get(role)
    if (known !== undefined) return known
    const { databaseUrl: url, databaseProtocol: protocol } = this.config
    const opened = new Database({ url, protocol, role, connections: CONNECTIONS }, () => {})
    this.#databases.set(role, opened)
    return opened
  }
}
