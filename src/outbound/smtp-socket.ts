// The way to the mail relay. The relay is the operator's own and stands in the configuration, not in anything a
// tenant wrote: it may well have a private address, and its name may be known to the system alone (a hosts
// file, a search domain). So the guard is not asked and the system resolves; the deadline holds as everywhere.
import type { Socket } from 'node:net'
import { openSocket } from './open-socket.ts'
import { OutboundError, systemCodeOf, toOutboundError } from './outbound-error.ts'

/** An open socket. The caller owns it and destroys it. */
export async function openRelay(
  { host, port }: { host: string; port: number },
  signal: AbortSignal,
): Promise<Socket> {
  try {
    return await openSocket({ host, port, noDelay: true }, signal)
  } catch (error) {
    throw toNamed(error)
  }
}

// The system's resolver has words of its own, which no other way out can meet.
function toNamed(error: unknown): unknown {
  const code = systemCodeOf(error)
  if (code === 'ENOTFOUND') return new OutboundError('NAME_NOT_FOUND', code)
  if (code.startsWith('EAI_')) return new OutboundError('NAME_NOT_ANSWERED', code)
  return toOutboundError(error)
}
