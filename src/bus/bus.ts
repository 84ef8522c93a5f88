// What carries check jobs to probes and results back, and requests to the owner of a shard. It holds
// nothing: whatever is lost on the way is sent again by who needs it.

export type Job = {
  /** Random: who answers it has been sent it. */
  id: string
  orgId: string
  /** The number of the attempt within its check. */
  attempt: number
  budgetMs: number
  /** The trace this attempt belongs to; left out when it is not traced. */
  traceparent?: string
  /** What to look at. It survives JSON; the bus does not read it. */
  target: unknown
}

/** Jobs of one message; `text` is their JSON array. */
export type Packet = { items: readonly Job[]; text: string }

/** Durations since acceptance, never instants: only the owner's clock counts. */
export type ProbeResult = {
  id: string
  acceptedToStartMs: number
  startedToEndMs: number
  /** What was found. It survives JSON; the bus does not read it, so who trusts it must. */
  attempt: unknown
}

/** The region is the one the job was sent to, whatever the probe says. */
export type JobResult = ProbeResult & { region: string; probe: string }

/**
 * `nobody`: surely no probe has the packet. `silent`: no answer came in time, so that a probe may have
 * it; its results, if they come after all, are still handed over.
 */
export type SendOutcome = 'accepted' | 'busy' | 'nobody' | 'silent'

export type OnResults = (results: JobResult[]) => void

export type ProbeLocation = { region: string; probe: string }

export type ReceivedPacket = {
  jobs: Job[]
  /** Each job is answered once. Results wait a moment for others of the same packet. */
  reply(results: readonly ProbeResult[]): void
}

export type HandlePacket = (packet: ReceivedPacket) => 'accepted' | 'busy'

export type ProbeAnnouncement = ProbeLocation & {
  /** How many jobs it runs at once, and how many of them run now. */
  capacity: number
  inFlight: number
  /** The monitor types that it can check. */
  can: string[]
  /** Fingerprints of its settings by name; probes before 0.2 send none. */
  settings?: Record<string, string>
  /** Of the product it runs; null for those that do not say. */
  version?: string | null
  /** The longest a job has waited for its start since the announcement before. */
  lateMs?: number | null
}

/** `nobody`: surely nobody has the request. `silent`: no answer came in time. */
export type RequestOutcome =
  | { kind: 'answer'; body: unknown }
  | { kind: 'error'; message: string }
  | { kind: 'nobody' }
  | { kind: 'silent' }

export type ServeRequest = (body: unknown) => unknown

/** Ends a subscription. What was taken before may still be answered. */
export type Serving = { stop(): Promise<void> }

export type Bus = {
  /** Results may come before the outcome does. */
  sendJobs(region: string, packet: Packet, onResults: OnResults): Promise<SendOutcome>
  /** Probes of one region share its packets: each packet goes to one of them. */
  serveJobs(place: ProbeLocation, take: HandlePacket): Promise<Serving>

  announce(announcement: ProbeAnnouncement): void
  /** Whether it may announce itself: a server that refuses says so to `onError`. Nobody takes it for a live probe. */
  tryAnnouncing(place: ProbeLocation): void
  onAnnouncement(handler: (announcement: ProbeAnnouncement) => void): Promise<Serving>

  request(name: string, body: unknown, timeoutMs: number): Promise<RequestOutcome>
  /** What the handler throws becomes the outcome `error` of the request. */
  serveRequests(name: string, handler: ServeRequest): Promise<Serving>

  /** A wake-up for everyone who listens. It may be lost. */
  hint(name: string): void
  onHint(name: string, handler: () => void): Promise<Serving>

  isConnected(): boolean
  /** Takes nothing new, answers what it has taken, and lets the last messages leave. */
  close(): Promise<void>
}
