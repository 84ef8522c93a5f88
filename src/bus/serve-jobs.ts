// The probe's side: takes packets of its region and sends their results packed.
import type { Job, ProbePlace, Serving, TakePacket } from './bus.ts'
import { answerText, readJobs } from './messages.ts'
import { Outbox } from './outbox.ts'
import { jobsSubject, PROBES_QUEUE } from './subjects.ts'
import { type Message, type OnError, toError, type Wire } from './wire.ts'

type Server = { wire: Wire; onError: OnError; outboxes: Set<Outbox> }

export async function serveJobs(
  server: Server,
  { region, probe }: ProbePlace,
  take: TakePacket,
): Promise<Serving> {
  return server.wire.subscribe({
    subject: jobsSubject(region),
    queue: PROBES_QUEUE,
    onMessage: (message) => takeMessage(server, probe, message, take),
  })
}

function takeMessage(server: Server, probe: string, message: Message, take: TakePacket): void {
  const jobs = readJobs(message.text)
  if (jobs === undefined || message.reply === '') {
    server.onError(new Error('A message to the probes was not a packet of jobs.'))
    return
  }
  const outbox = new Outbox({ server, probe, jobs, replySubject: message.reply })
  const answer = askToTake(server, jobs, outbox, take)
  server.wire.publish(message.reply, answerText(probe, answer), '')
  if (answer === 'accepted') outbox.open()
}

function askToTake(server: Server, jobs: Job[], outbox: Outbox, take: TakePacket) {
  try {
    return take({ jobs, reply: (results) => outbox.add(results) })
  } catch (error) {
    server.onError(toError(error))
    return 'busy'
  }
}
