// The probe's side: accepts packets of its region and sends their results in batches.
import type { HandlePacket, Job, ProbeLocation, Serving } from './bus.ts'
import { acceptanceText, readJobs } from './messages.ts'
import { Outbox } from './outbox.ts'
import { jobsSubject, PROBES_QUEUE } from './subjects.ts'
import { type OnError, toError, type Wire, type WireMessage } from './wire.ts'

type JobServer = { wire: Wire; onError: OnError; outboxes: Set<Outbox> }

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
  const outbox = new Outbox({ server, probe, jobs, replySubject: message.reply })
  const reply = offerPacket(server, jobs, outbox, take)
  server.wire.publish(message.reply, acceptanceText(probe, reply), '')
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
