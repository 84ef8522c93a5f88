// The bus over any wire: everything that is the same within a process and over NATS.
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Bus, HandlePacket, ProbeAnnouncement, ProbeLocation, Serving } from './bus.ts'
import { Inbox } from './inbox.ts'
import { announcementText, readAnnouncement } from './messages.ts'
import type { Outbox } from './outbox.ts'
import { ProbeKeys } from './probe-keys.ts'
import { request, serveRequests, serveSenders } from './requests.ts'
import { sendJobs } from './send-jobs.ts'
import { serveDirectJobs, serveJobs } from './serve-jobs.ts'
import { ALL_ANNOUNCEMENTS, announcementSubject, hintsSubject, inboxSubject } from './subjects.ts'
import type { OnError, Wire } from './wire.ts'

const CLOSE_WAIT_MS = 5000
/** The owner of a bus within one process. */
export const LOCAL_OWNER = 'local'

/** `owner` names the inbox, so that a server can prevent others from listening to it. */
export function createWireBus(wire: Wire, owner: string, onError: OnError): Bus {
  const parts = toParts(wire, owner, onError)
  const servings = new Set<Serving>()
  const keep = async (starting: Serving | Promise<Serving>): Promise<Serving> => {
    const serving = await starting
    servings.add(serving)
    return {
      async stop() {
        servings.delete(serving)
        await serving.stop()
      },
    }
  }

  return {
    sendJobs: (region, packet, onResults, responders) =>
      sendJobs(parts, { region, packet, onResults, responders }),
    async serveJobs(place, take) {
      const servings = await Promise.all((await serve(parts, place, take)).map(keep))
      return { stop: async () => void (await Promise.all(servings.map((one) => one.stop()))) }
    },

    announce: (announcement) => announce(parts, announcement),
    tryAnnouncing: (place) => void wire.publish(subjectOf(place), '', ''),
    onAnnouncement: (handler) => onAnnouncement(parts, handler),

    request: (name, body, timeoutMs) => request(parts, name, body, timeoutMs),
    serveRequests: (name, handler) => keep(serveRequests(parts, name, handler)),
    serveSenders: (name, senders) => keep(serveSenders(parts, name, senders)),

    hint: (name) => void wire.publish(hintsSubject(name), '', ''),
    onHint: (name, handler) =>
      wire.subscribe({ subject: hintsSubject(name), onMessage: () => handler() }),

    isConnected: () => wire.isConnected(),
    async close() {
      await Promise.all([...servings].map((serving) => serving.stop()))
      await finish(parts)
      await wire.close()
    },
  }
}

const subjectOf = ({ region, probe }: ProbeLocation) => announcementSubject(region, probe)

type Parts = {
  wire: Wire
  owner: string
  inbox: Inbox
  onError: OnError
  keys: ProbeKeys
  answerKey: string
  /** Of announcements: what these probes serve alone, too. */
  directSubjects: Set<string>
  outboxes: Set<Outbox>
  inFlight: Set<Promise<void>>
}

function toParts(wire: Wire, owner: string, onError: OnError): Parts {
  return {
    wire,
    owner,
    onError,
    inbox: new Inbox(wire, inboxSubject(owner, randomBytes(16).toString('hex'))),
    keys: new ProbeKeys(),
    answerKey: randomBytes(16).toString('base64url'),
    directSubjects: new Set(),
    outboxes: new Set(),
    inFlight: new Set(),
  }
}

async function serve(parts: Parts, place: ProbeLocation, take: HandlePacket): Promise<Serving[]> {
  const shared = await serveJobs(parts, place, take)
  // The server lets a user listen to the inbox of its own name.
  const ownsInbox = parts.owner === place.probe || parts.owner === LOCAL_OWNER
  const alone = ownsInbox ? await serveDirectJobs(parts, place, take) : undefined
  if (alone === undefined) return [shared]
  parts.directSubjects.add(subjectOf(place))
  return [shared, alone]
}

function announce({ wire, answerKey, directSubjects }: Parts, announcement: ProbeAnnouncement) {
  const subject = subjectOf(announcement)
  const isDirect = directSubjects.has(subject)
  const said = { ...announcement, answerKey, ...(isDirect && { isDirect }) }
  wire.publish(subject, announcementText(said), '')
}

function onAnnouncement(
  { wire, keys, onError }: Parts,
  handler: (announcement: ProbeAnnouncement) => void,
): Promise<Serving> {
  keys.listen(performance.now())
  return wire.subscribe({
    subject: ALL_ANNOUNCEMENTS,
    onMessage({ subject, text }) {
      if (text === '') return
      const announcement = readAnnouncement(subject, text)
      if (announcement === undefined) {
        onError(new Error(`Not an announcement: ${subject}`))
        return
      }
      keys.note(announcement, performance.now())
      handler(announcement)
    },
  })
}

async function finish({ inbox, inFlight, outboxes }: Parts): Promise<void> {
  const patience = new AbortController()
  const tooLong = sleep(CLOSE_WAIT_MS, undefined, { signal: patience.signal }).catch(() => {})
  await Promise.race([Promise.all(inFlight), tooLong])
  patience.abort()
  for (const outbox of outboxes) outbox.send()
  for (const outbox of outboxes) outbox.stop()
  inbox.close()
}
