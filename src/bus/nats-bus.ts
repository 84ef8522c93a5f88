import { PermissionViolationError } from '@nats-io/transport-node'
import type { Bus } from './bus.ts'
import { type NatsOptions, readNatsOptions } from './nats-options.ts'
import { openNatsWire } from './nats-wire.ts'
import type { OnError } from './wire.ts'
import { createWireBus } from './wire-bus.ts'

type NatsBusOptions = NatsOptions & { onError: OnError }

/** Rejects if no server is usable now. Later it recovers from any lost connection. */
export async function openNatsBus({ onError, ...options }: NatsBusOptions): Promise<Bus> {
  const target = readNatsOptions(options)
  return createWireBus(await openNatsWire(target, onError), target.user, onError)
}

export const isPermissionViolation = (error: Error) => error instanceof PermissionViolationError
