// What a command is. The table of commands is read by the command line, by the manual and by the tests.
import { type Config, readConfig } from '../../platform/config/config.ts'
import { Database, type DatabaseRole } from '../../store/core/db.ts'
import { OrganizationSecrets } from '../../store/core/organization-secrets.ts'
import type { Flags } from './flags.ts'

/** `value` names what follows the option; without it the option is a switch. */
export type CommandOption = Readonly<{ value?: string; text: string }>

export type Command = Readonly<{
  /** Its words, such as `org create`. */
  name: string
  summary: string
  /** Names of what follows the words, such as `org`. The last one may be left out when it ends with `?`. */
  arguments?: readonly string[]
  options?: Readonly<Record<string, CommandOption>>
  /** Paragraphs of its manual. */
  manual?: readonly string[]
  examples?: readonly string[]
  /** True when it changes anything; then it writes a line to the operator log. */
  changes: boolean
  /** Runs even when the file of variables has problems, and reports them itself. */
  reportsFileProblems?: boolean
  run(context: CommandContext): Promise<unknown>
  /** For people; without it, and with --json, the outcome is printed as JSON. */
  format?(outcome: never): string
  /** 0 unless the outcome says otherwise. */
  exitCode?(outcome: never): number
}>

const CONNECTIONS = 2

/** What a command works with. Connections open when they are first used. */
export class CommandContext {
  readonly flags: Flags
  readonly args: readonly string[]
  readonly environment: NodeJS.ProcessEnv
  /** Of the file of variables; empty unless the command reports them itself. */
  readonly fileProblems: readonly string[]
  readonly #databases = new Map<DatabaseRole, Database>()
  #config: Config | undefined
  #secrets: OrganizationSecrets | undefined

  constructor(
    flags: Flags,
    args: readonly string[],
    environment = process.env,
    fileProblems: readonly string[] = [],
  ) {
    this.fileProblems = fileProblems
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

  /** What follows the words of the command, or the option of the same name. */
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
    const { databaseUrl: url } = this.config
    const opened = new Database({ url, role, connections: CONNECTIONS }, () => {})
    this.#databases.set(role, opened)
    return opened
  }
}
