// The way to the mail relay. The relay is the operator's own and stands in the configuration, not in anything a
// tenant wrote: it may well have a private address, and its name may be known to the system alone (a hosts
// file, a search domain). So the guard is not asked and the system resolves; the deadline holds as everywhere.
import { connect, type Socket } from 'node:net'
import { OutboundError, systemCodeOf, toOutboundError } from './outbound-error.ts'

/** An open socket. The caller owns it and destroys it. */
export function openRelay(
  { host, port }: { host: string; port: number },
  signal: AbortSignal,
): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>()
  if (signal.aborted) return Promise.reject(new OutboundError('TIMEOUT'))
  const socket = connect({ host, port, noDelay: true })
  // Stays for the socket's life: an error that nobody awaits must not end the process.
  socket.on('error', ignore)
  const giveUp = () => fail(new OutboundError('TIMEOUT'))
  const fail = (error: Error) => {
    release()
    socket.destroy()
    reject(toNamed(error))
  }
  const release = () => {
    signal.removeEventListener('abort', giveUp)
    socket.off('error', fail)
  }
  socket.once('error', fail)
  socket.once('connect', () => {
    release()
    resolve(socket)
  })
  signal.addEventListener('abort', giveUp, { once: true })
  return promise
}

// The system's resolver has words of its own, which no other way out can meet.
function toNamed(error: Error): unknown {
  const code = systemCodeOf(error)
  if (code === 'ENOTFOUND') return new OutboundError('NAME_NOT_FOUND', code)
  if (code.startsWith('EAI_')) return new OutboundError('NAME_NOT_ANSWERED', code)
  return toOutboundError(error)
}

function ignore(): void {}
