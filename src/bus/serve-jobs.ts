// The probe's side: accepts packets of its region and sends their results in batches.
import type { HandlePacket, Job, ProbeLocation, Serving } from './bus.ts'
import { acceptanceText, type Responder, readJobs } from './messages.ts'
import { Outbox } from './outbox.ts'
import { directJobsSubject, jobsSubject, PROBES_QUEUE } from './subjects.ts'
import { type OnError, toError, type Wire, type WireMessage } from './wire.ts'

type JobServer = {
  wire: Wire
  onError: OnError
  outboxes: Set<Outbox>
  /** Proves that a response is from this process. */
  answerKey: string
}

export async function serveJobs(
  server: JobServer,
  { region, probe }: ProbeLocation,
  take: HandlePacket,
): Promise<Serving> {
  return server.wire.subscribe({
    subject: jobsSubject(region),
    queue: PROBES_QUEUE,
    onMessage: (message) => handleMessage(server, probe, message, take),
  })
}

/** Packets for this probe alone. Undefined if the server does not permit it, as with a user of another name. */
export async function serveDirectJobs(
  server: JobServer,
  place: ProbeLocation,
  take: HandlePacket,
): Promise<Serving | undefined> {
  try {
    return await server.wire.subscribe({
      subject: directJobsSubject(place),
      queue: PROBES_QUEUE,
      onMessage: (message) => handleMessage(server, place.probe, message, take),
    })
  } catch {
    // The wire has reported it. The probe still serves its region.
    return undefined
  }
}

function handleMessage(
  server: JobServer,
  probe: string,
  message: WireMessage,
  take: HandlePacket,
): void {
  const jobs = readJobs(message.text)
  if (jobs === undefined || message.reply === '') {
    server.onError(new Error('A message to the probes was not a packet of jobs.'))
    return
  }
  const from: Responder = { probe, key: server.answerKey }
  const outbox = new Outbox({ server, from, jobs, replySubject: message.reply })
  const reply = offerPacket(server, jobs, outbox, take)
  server.wire.publish(message.reply, acceptanceText(from, reply), '')
  if (reply === 'accepted') outbox.open()
}

function offerPacket(server: JobServer, jobs: Job[], outbox: Outbox, take: HandlePacket) {
  try {
    return take({ jobs, reply: (results) => outbox.add(results) })
  } catch (error) {
    server.onError(toError(error))
    return 'busy'
  }
}
