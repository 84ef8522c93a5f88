// Opens a TCP connection to the first of several addresses that responds. A slow address is raced, never abandoned,
// because it may be the only one that works.
import type { Socket } from 'node:net'
import { blameRoute } from './no-route.ts'
import { openSocket } from './open-socket.ts'
import { type OutboundCode, OutboundError, toOutboundError } from './outbound-error.ts'

const STAGGER_MS = 250
const MAX_ADDRESSES = 8

// The target's own responses come first, then our own faults, which must not be blamed on it.
const BY_SPECIFICITY: OutboundCode[] = [
  'REFUSED',
  'RESET',
  'OUT_OF_DESCRIPTORS',
  'OUT_OF_PORTS',
  'TIMEOUT',
]

export async function dialFirst(
  addresses: readonly string[],
  port: number,
  signal: AbortSignal,
): Promise<Socket> {
  const [only] = addresses
  if (only !== undefined && addresses.length === 1) return dial(only, port, signal)

  const losers = new AbortController()
  const stop = AbortSignal.any([signal, losers.signal])
  const dials: Promise<Socket>[] = []
  try {
    for (const address of interleaveFamilies(addresses).slice(0, MAX_ADDRESSES)) {
      dials.push(dial(address, port, stop))
      if (await isConnectedSoon(dials)) break
    }
    const winner = await Promise.any(dials)
    // Two may connect at the same moment: the second would otherwise stay open.
    for (const other of dials) other.then((socket) => socket !== winner && socket.destroy(), ignore)
    return winner
  } catch (error) {
    throw error instanceof AggregateError ? mostSpecific(error.errors) : error
  } finally {
    losers.abort()
  }
}

async function dial(address: string, port: number, signal: AbortSignal): Promise<Socket> {
  try {
    return await openSocket({ host: address, port, autoSelectFamily: false }, signal)
  } catch (error) {
    throw await blameRoute(toOutboundError(error), address)
  }
}

/** True as soon as one connects; false when the newest fails or its time is up, so that the next may start. */
function isConnectedSoon(dials: Promise<Socket>[]): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, STAGGER_MS, false)
    const settle = (connected: boolean) => {
      clearTimeout(timer)
      resolve(connected)
    }
    for (const dialing of dials) dialing.then(() => settle(true), ignore)
    dials.at(-1)?.catch(() => settle(false))
  })
}

/** Alternates IPv4 and IPv6, so that a dead family costs one delay, not one per address. */
function interleaveFamilies(addresses: readonly string[]): string[] {
  const six = addresses.filter((address) => address.includes(':'))
  const four = addresses.filter((address) => !address.includes(':'))
  return Array.from({ length: Math.max(six.length, four.length) }, (_, i) => [four[i], six[i]])
    .flat()
    .filter((address) => address !== undefined)
}

function mostSpecific(errors: unknown[]): unknown {
  const codeOf = (error: unknown) => (error instanceof OutboundError ? error.code : undefined)
  for (const code of BY_SPECIFICITY) {
    const found = errors.find((error) => codeOf(error) === code)
    if (found !== undefined) return found
  }
  // Another address of the name was tried, so the name cannot be reached for another reason.
  return errors.find((error) => codeOf(error) !== 'NO_ROUTE') ?? errors[0]
}

function ignore(): void {}
