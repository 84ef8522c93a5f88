// What the attacker has and knows: an organization on the FREE plan, its keys and sessions, and the victim's email
// addresses.

export type Grounds = {
  baseUrl: string
  orgId: string
  /** Each has its own rate limit. */
  keys: readonly string[]
  /** Cookie headers of an owner and of a READ_ONLY member; each attack has its own session. */
  owners: Readonly<Record<OwnerTask, string>>
  readers: Readonly<Record<ReaderTask, string>>
  /** Sessions of several people, most of them READ_ONLY, for event streams. */
  crowd: readonly string[]
  victimEmails: readonly string[]
  slug: string
  pageId: string
  /** Its password changes constantly; nobody reads it. */
  lockedPageId: string
  monitorIds: readonly string[]
  /** A CRON monitor, and where it is pinged. */
  jobId: string
  heartbeatPath: string
}

export const OWNER_TASKS = ['passwords', 'names', 'keys', 'contacts', 'domains', 'imports'] as const
export const READER_TASKS = ['drafts', 'calendar', 'wholeBodies'] as const
type OwnerTask = (typeof OWNER_TASKS)[number]
type ReaderTask = (typeof READER_TASKS)[number]

/** How often each outcome occurred, such as a status. */
export type Tally = Record<string, number>

export type Run = { grounds: Grounds; servers: Servers; endMs: number }

export type Attack = {
  /** Preparation, which is not measured. */
  prepare?(run: Run): Promise<void>
  /** Attacks until `endMs`. */
  attack(run: Run): Promise<Tally>
}

/** The attacker's own servers. */
export type Servers = {
  smtpPort: number
  whoisServer: string
  bootstrapUrl: string
  /** Targets that misbehave, by their behavior. */
  targets: Record<string, number>
  /** A web server whose paths are receivers that misbehave. */
  receiverPort: number
  /** Tokens of the links that confirm a subscription, in the order of their emails. */
  confirmations(): string[]
  mails(): number
}

/** The part that can be sent to another process. */
export type ServerAddresses = Pick<
  Servers,
  'smtpPort' | 'whoisServer' | 'bootstrapUrl' | 'targets' | 'receiverPort'
>

export type Order =
  | { type: 'prepare' | 'attack'; id: number; attack: string; grounds: Grounds; seconds: number }
  | { type: 'stop' }
export type Report =
  | { type: 'ready'; servers: ServerAddresses }
  | { type: 'done'; id: number; tally: Tally }
  | { type: 'failed'; id: number; words: string }
