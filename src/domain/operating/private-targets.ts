// Which probes may not reach private addresses that monitors of their region have. Pure.

/** `region`: which probes need it, the home of its organization or where it was reached; null if that is any. */
export type NeededAddress = { region: string | null; address: string }
/** `allows`: the private networks that it may reach. */
export type ProbeReach = { region: string; name: string; allows: readonly string[] }
type Shortage = { region: string; name: string; addresses: readonly string[] }

const MAX_SHOWN = 3

export function addressesOf(region: string, needed: readonly NeededAddress[]): string[] {
  const own = needed.filter((one) => one.region === null || one.region === region)
  return [...new Set(own.map(({ address }) => address))].toSorted()
}

export function findShortages(
  needed: readonly NeededAddress[],
  probes: readonly ProbeReach[],
  isPermitted: (address: string, allows: readonly string[]) => boolean,
): Shortage[] {
  return probes.flatMap(({ region, name, allows }) => {
    const addresses = addressesOf(region, needed).filter((one) => !isPermitted(one, allows))
    return addresses.length === 0 ? [] : [{ region, name, addresses }]
  })
}

/** "10.0.0.1, 10.0.0.2 and 3 more" */
export function listAddresses(addresses: readonly string[]): string {
  const more = addresses.length - MAX_SHOWN
  const shown = addresses.slice(0, MAX_SHOWN).join(', ')
  return more > 0 ? `${shown} and ${more} more` : shown
}
