// The bus of a process that runs every role beside others over NATS. Its scheduler reaches its probe within the process,
// so that its own region is checked whatever NATS permits, and while NATS is down.
import type { Bus, HandlePacket, ProbeAnnouncement, ProbeLocation, Serving } from './bus.ts'
import { LiveProbes } from './live-probes.ts'

type Buses = {
  /** Within the process. */
  inner: Bus
  /** Between processes. */
  network: Bus
  /** The server does not let this process serve jobs of others. */
  onRefused(error: Error): void
}

export function joinBuses(buses: Buses): Bus {
  const { network, inner } = buses
  const own = new OwnProbe()
  return {
    // Everything but jobs.
    ...network,
    async sendJobs(region, packet, onResults, responders) {
      const send = (bus: Bus) => bus.sendJobs(region, packet, onResults, responders)
      const to = responders?.to
      if (to !== undefined) return send(own.is({ region, probe: to }) ? inner : network)
      if (!own.isIn(region)) return send(network)
      const [first, second] = own.takesTurn(region) ? [inner, network] : [network, inner]
      const outcome = await send(first)
      if (outcome !== 'busy' && outcome !== 'nobody') return outcome
      const other = await send(second)
      return other === 'nobody' ? outcome : other
    },
    serveJobs: (place, take) => serveBoth(buses, own, place, take),
    announce(announcement) {
      inner.announce(announcement)
      if (own.isShared) network.announce(announcement)
    },
    async onAnnouncement(handler) {
      const servings = await Promise.all([
        inner.onAnnouncement(handler),
        network.onAnnouncement((announcement) => {
          if (own.is(announcement)) return
          own.noteOther(announcement)
          handler(announcement)
        }),
      ])
      return together(servings)
    },
    async close() {
      await inner.close()
      await network.close()
    },
  }
}

async function serveBoth(
  { inner, network, onRefused }: Buses,
  own: OwnProbe,
  place: ProbeLocation,
  take: HandlePacket,
): Promise<Serving> {
  const within = await inner.serveJobs(place, take)
  const beyond = await network.serveJobs(place, take).catch(onRefused)
  own.begin(place, beyond !== undefined)
  const serving = together(beyond ? [within, beyond] : [within])
  return {
    async stop() {
      own.end()
      await serving.stop()
    },
  }
}

/** The probe of this process, and how many others share its region. */
class OwnProbe {
  readonly #others = new LiveProbes()
  #place: ProbeLocation | undefined
  #turns = 0
  /** Whether other processes may use it, too. */
  isShared = false

  begin(place: ProbeLocation, isShared: boolean): void {
    this.#place = place
    this.isShared = isShared
  }

  end(): void {
    this.#place = undefined
  }

  is({ region, probe }: ProbeLocation): boolean {
    return this.isIn(region) && this.#place?.probe === probe
  }

  isIn(region: string): boolean {
    return this.#place?.region === region
  }

  noteOther(announcement: ProbeAnnouncement): void {
    this.#others.record(announcement, performance.now())
  }

  /** Probes of a region take turns. */
  takesTurn(region: string): boolean {
    const others = this.#others.counts(performance.now()).get(region) ?? 0
    return this.#turns++ % (others + 1) === 0
  }
}

function together(servings: readonly Serving[]): Serving {
  return { stop: async () => void (await Promise.all(servings.map((one) => one.stop()))) }
}
