// Names of probes that were not given one.

/** `hex`: 12 random digits. A probe without a name gets a new one with each start. */
export const generatedName = (hex: string): string => `probe-${hex}`

const GENERATED = /^probe-[0-9a-f]{12}$/

type NamedProbe = { name: string; isLive: boolean }

/** How many probes a region is expected to have. Earlier names of a restarted probe are not further probes. */
export function countExpected(probes: readonly NamedProbe[]): number {
  const counted = probes.filter(({ name, isLive }) => isLive || !GENERATED.test(name))
  return probes.length === 0 ? 0 : Math.max(1, counted.length)
}
