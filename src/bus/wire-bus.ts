// The bus over any wire: everything that is the same within a process and over NATS.
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Bus, ProbeLocation, Serving } from './bus.ts'
import { Inbox } from './inbox.ts'
import { announcementText, readAnnouncement } from './messages.ts'
import type { Outbox } from './outbox.ts'
import { request, serveRequests } from './requests.ts'
import { sendJobs } from './send-jobs.ts'
import { serveJobs } from './serve-jobs.ts'
import { ALL_ANNOUNCEMENTS, announcementSubject, hintsSubject, inboxSubject } from './subjects.ts'
import type { OnError, Wire } from './wire.ts'

const CLOSE_WAIT_MS = 5000

/** `owner` names the inbox, so that a server can prevent others from listening to it. */
export function createWireBus(wire: Wire, owner: string, onError: OnError): Bus {
  const inbox = new Inbox(wire, inboxSubject(owner, randomBytes(16).toString('hex')))
  const parts: Parts = { wire, inbox, onError, outboxes: new Set(), inFlight: new Set() }
  const servings = new Set<Serving>()
  const keep = async (starting: Promise<Serving>): Promise<Serving> => {
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
    sendJobs: (region, packet, onResults) => sendJobs(parts, region, packet, onResults),
    serveJobs: (location, take) => keep(serveJobs(parts, location, take)),

    announce: (announcement) =>
      void wire.publish(subjectOf(announcement), announcementText(announcement), ''),
    tryAnnouncing: (place) => void wire.publish(subjectOf(place), '', ''),
    onAnnouncement: (handler) =>
      wire.subscribe({
        subject: ALL_ANNOUNCEMENTS,
        onMessage({ subject, text }) {
          if (text === '') return
          const announcement = readAnnouncement(subject, text)
          if (announcement === undefined) onError(new Error(`Not an announcement: ${subject}`))
          else handler(announcement)
        },
      }),

    request: (name, body, timeoutMs) => request(parts, name, body, timeoutMs),
    serveRequests: (name, handler) => keep(serveRequests(parts, name, handler)),

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
  inbox: Inbox
  onError: OnError
  outboxes: Set<Outbox>
  inFlight: Set<Promise<void>>
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
