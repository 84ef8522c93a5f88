// Transports check jobs to probes and results back, and requests to the owner of a shard. It stores nothing: the sender
// resends whatever is lost.

export type Job = {
  /** Random, so only a probe that was sent the job can respond to it. */
  id: string
  orgId: string
  /** The number of the attempt within its check. */
  attempt: number
  budgetMs: number
  /** The trace this attempt belongs to; omitted if it is not traced. */
  traceparent?: string
  /** What to check. Must survive JSON; the bus does not read it. */
  target: unknown
}

/** The jobs of one message; `text` is their JSON array. */
export type Packet = { items: readonly Job[]; text: string }

/** Durations since acceptance, never timestamps: only the owner's clock counts. */
export type ProbeResult = {
  id: string
  acceptedToStartMs: number
  startedToEndMs: number
  /** The finding. Must survive JSON; the bus does not read it, so its consumer must validate it. Null: not readable. */
  attempt: unknown
}

/** `region` is where the job was sent, whatever the probe claims. */
export type JobResult = ProbeResult & { region: string; probe: string }

/**
 * `refused`: what came back does not count (see `Responders`), and whoever sent it may have the packet.
 * `nobody`: certainly no probe has the packet. `silent`: no response arrived in time, so a probe may have it; results
 * that arrive later are still delivered.
 */
export type SendOutcome = 'accepted' | 'busy' | 'refused' | 'nobody' | 'silent'

export type OnResults = (results: JobResult[]) => void

/** Whose responses to a packet count. */
export type Responders = {
  /** The packet goes to this probe alone, instead of any one of its region. It must be `isDirect`. */
  to?: string | undefined
  /** Called with every response that proves its sender, or comes from an older probe. False: it does not count. */
  hears?(probe: string): boolean
}

export type ProbeLocation = { region: string; probe: string }

export type ReceivedPacket = {
  jobs: Job[]
  /** Each job gets one response. Results briefly wait for others of the same packet. */
  reply(results: readonly ProbeResult[]): void
}

export type HandlePacket = (packet: ReceivedPacket) => 'accepted' | 'busy'

export type ProbeAnnouncement = ProbeLocation & {
  /** How many jobs it can run at once, and how many are running. */
  capacity: number
  inFlight: number
  /** The monitor types it can check. */
  can: string[]
  /** Fingerprints of its settings by name; probes before 0.2 send none. */
  settings?: Record<string, string>
  /** Version of the product it runs; null if it reports none. */
  version?: string | null
  /** The longest a job waited to start since the previous announcement, in milliseconds. */
  lateMs?: number | null
  /** Fingerprints of the networks it is in; probes before 0.2 send none. */
  networks?: string[]
  /** The private networks that it may reach; probes before 0.2 send none. */
  allows?: string[]
  /** Its responses carry this key, so nobody else can respond under its name. Probes before 0.2 have none. */
  answerKey?: string
  /** Packets can be sent to it alone. */
  isDirect?: boolean
}

/** `nobody`: certainly no process has the request. `silent`: no response arrived in time. */
export type RequestOutcome =
  | { kind: 'answer'; body: unknown }
  | { kind: 'error'; message: string }
  | { kind: 'nobody' }
  | { kind: 'silent' }

export type ServeRequest = (body: unknown) => unknown

export type ServeSenders = {
  /** False: the request is dropped unread and gets no response, as when two of its sender or too many are in flight. */
  admit(sender: string): boolean
  handle(body: unknown, sender: string): unknown
}

/** Ends a subscription. Messages received before may still get a response. */
export type Serving = { stop(): Promise<void> }

export type Bus = {
  /** Results may arrive before the outcome. */
  sendJobs(
    region: string,
    packet: Packet,
    onResults: OnResults,
    responders?: Responders,
  ): Promise<SendOutcome>
  /** The probes of a region share its packets: each packet goes to one of them. */
  serveJobs(place: ProbeLocation, take: HandlePacket): Promise<Serving>

  announce(announcement: ProbeAnnouncement): void
  /**
   * Tests the permission to announce: a server that refuses reports it to `onError`. It does not count as a live probe.
   */
  tryAnnouncing(place: ProbeLocation): void
  onAnnouncement(handler: (announcement: ProbeAnnouncement) => void): Promise<Serving>

  request(name: string, body: unknown, timeoutMs: number): Promise<RequestOutcome>
  /** An error thrown by the handler becomes the outcome `error` of the request. */
  serveRequests(name: string, handler: ServeRequest): Promise<Serving>
  /**
   * Requests `name.sender`, from those who are not trusted with more. They have a bound of their own, so that they
   * cannot use up that of the others. The sender is empty for requests `name`.
   */
  serveSenders(name: string, senders: ServeSenders): Promise<Serving>

  /** Wakes up all listeners. May be lost. */
  hint(name: string): void
  onHint(name: string, handler: () => void): Promise<Serving>

  isConnected(): boolean
  /** Accepts nothing new, responds to what it has accepted, and flushes the last messages. */
  close(): Promise<void>
}
