// The load: one process that keeps a fixed number of connections busy, with one request at a time on each. Raw sockets,
// so it costs little compared with what it measures. Started by load.ts.
import { connect, type Socket } from 'node:net'

export type Job = {
  port: number
  /** Complete requests as sent over the wire, used in rotation. */
  requests: readonly string[]
  count: number
  concurrency: number
  expectedStatus: number
}
export type Outcome = { failures: string[]; latenciesMs: number[] }

const HEAD_END = '\r\n\r\n'
const MAX_FAILURES_SHOWN = 3
const idle = new Map<number, Socket[]>()

process.on('message', (job: Job) => {
  void runJob(job).then((outcome) => process.send?.(outcome))
})
process.on('disconnect', () => process.exit(0))

async function runJob(job: Job): Promise<Outcome> {
  const outcome: Outcome = { failures: [], latenciesMs: [] }
  let next = 0
  // The server closes connections that were idle for long.
  const sockets = (idle.get(job.port) ?? []).filter((socket) => !socket.destroyed)
  while (sockets.length < job.concurrency) sockets.push(await open(job.port))
  idle.set(job.port, sockets)
  await Promise.all(
    sockets.slice(0, job.concurrency).map(async (socket) => {
      while (next < job.count) {
        const request = job.requests[next++ % job.requests.length] ?? ''
        const startedAt = performance.now()
        const answer = await exchange(socket, request)
        outcome.latenciesMs.push(performance.now() - startedAt)
        if (statusOf(answer) !== job.expectedStatus && outcome.failures.length < MAX_FAILURES_SHOWN)
          outcome.failures.push(answer.toString())
      }
    }),
  )
  return outcome
}

async function open(port: number): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>()
  const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => resolve(socket))
  // Stays: a connection that breaks while it is idle must not end the process.
  socket.on('error', reject)
  return promise
}

/** Sends one request and returns the whole response. */
function exchange(socket: Socket, request: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let received: Buffer | undefined
    const finish = () => socket.off('data', onData).off('close', onClose)
    const onClose = () => {
      finish()
      reject(new Error('The server closed the connection'))
    }
    const onData = (chunk: Buffer) => {
      received = received === undefined ? chunk : Buffer.concat([received, chunk])
      if (received.length < lengthOf(received)) return
      finish()
      resolve(received)
    }
    socket.on('data', onData).once('close', onClose)
    socket.write(request, 'latin1')
  })
}

function lengthOf(answer: Buffer): number {
  const headEnd = answer.indexOf(HEAD_END)
  if (headEnd === -1) return Number.POSITIVE_INFINITY
  const length = /content-length: (\d+)/i.exec(answer.toString('latin1', 0, headEnd))?.[1]
  if (length === undefined) throw new Error('An answer without Content-Length')
  return headEnd + HEAD_END.length + Number(length)
}

function statusOf(answer: Buffer): number {
  return Number(answer.toString('latin1', 9, 12))
}
