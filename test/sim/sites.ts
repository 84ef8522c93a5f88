// Where targets are, and what each region sees of them: firewalls that admit one region, private addresses that exist
// once or at two sites, names that resolve differently inside and outside, addresses without a route.
import {
  isWithin,
  type Nature,
  REGIONS,
  type Region,
  type Site,
  type SiteKind,
  type View,
} from './nature.ts'
import { createRng, type Rng } from './rng.ts'

/** A monitor's target changes with its number. */
export type Target = { uuid: string; targetNo: number; org: string }

export type Sight = Omit<View, 'obstacle'> & {
  kind: 'OK' | 'SILENT' | 'REFUSED' | 'MIXED' | 'NO_ROUTE' | 'NOT_ALLOWED'
}

const KINDS: readonly SiteKind[] = [
  ...(['PUBLIC', 'PUBLIC', 'PUBLIC', 'PUBLIC', 'FIREWALL', 'FIREWALL'] as const),
  ...(['PRIVATE_ONCE', 'PRIVATE_TWICE', 'PRIVATE_TWICE', 'PRIVATE_TWICE'] as const),
  ...(['SPLIT', 'IPV6'] as const),
]

export function siteOf(nature: Nature, { uuid, targetNo }: Target): Site {
  const key = `${uuid} ${targetNo}`
  const known = nature.sites.get(key)
  if (known !== undefined) return known
  const rng = createRng(Number.parseInt(uuid.slice(-8), 16) + targetNo)
  const site = makeSite(rng, uuid, nature.regions)
  nature.sites.set(key, site)
  for (const { host, address, isPrivate } of Object.values(site.views))
    if (!isPrivate) nature.publicHosts.set(address, host)
  return site
}

function makeSite(rng: Rng, uuid: string, regions: readonly Region[]): Site {
  const kind = rng.pick(KINDS)
  const place = rng.pick(regions)
  const other = rng.pick([...regions, ...REGIONS.slice(1)].filter((region) => region !== place))
  const obstacle = rng.pick(['SILENT', 'REFUSED'] as const)
  const number = `${rng.int(0, 255)}.${rng.int(0, 255)}`
  const outside: View = {
    host: uuid,
    address: `203.${number}.10`,
    isPrivate: false,
    obstacle: null,
  }
  const inside: View = { ...outside, address: '192.168.1.10', isPrivate: true }
  const twin = `${uuid}/2`
  const views: Record<SiteKind, (region: Region) => View> = {
    PUBLIC: () => outside,
    FIREWALL: (region) => (region === place ? outside : { ...outside, obstacle }),
    PRIVATE_ONCE: (region) => (region === place ? inside : { ...inside, obstacle }),
    PRIVATE_TWICE: (region) => {
      if (region === place) return inside
      return region === other ? { ...inside, host: twin } : { ...inside, obstacle }
    },
    SPLIT: (region) => (region === place ? inside : { ...outside, host: twin }),
    IPV6: (region) => ({
      ...outside,
      address: `2001:db8:${number.replace('.', ':')}::10`,
      obstacle: region === place ? 'NO_ROUTE' : null,
    }),
  }
  const see = views[kind]
  const isWritten = kind.startsWith('PRIVATE') && rng.chance(0.5)
  return { kind, isWritten, views: { eu: see('eu'), us: see('us'), ap: see('ap') } }
}

/** What a probe with permission for private addresses meets there at that moment. */
export function look(nature: Nature, target: Target, region: Region, ms: number): Sight {
  const { obstacle, ...view } = siteOf(nature, target).views[region]
  if (obstacle === 'NO_ROUTE') return { ...view, kind: 'NO_ROUTE' }
  if (view.isPrivate && isWithin(nature.forbidden.get(region), ms))
    return { ...view, kind: 'NOT_ALLOWED' }
  if (isCutOff(nature, region, ms, view.isPrivate)) return { ...view, kind: 'SILENT' }
  if (isWithin(nature.brokenRoutes.get(`${target.uuid} ${region}`), ms))
    return { ...view, kind: 'SILENT' }
  if (obstacle !== null) return { ...view, kind: obstacle }
  return { ...view, kind: hostAt(nature, view.host, ms) }
}

export function isCutOff(nature: Nature, region: Region, ms: number, isPrivate: boolean): boolean {
  const cuts = nature.cuts.get(region) ?? []
  return cuts.some((cut) => cut.fromMs <= ms && ms < cut.toMs && (cut.isWhole || !isPrivate))
}

/** What a machine does with a connection. */
export function hostAt(
  nature: Nature,
  host: string,
  ms: number,
): 'OK' | 'SILENT' | 'REFUSED' | 'MIXED' {
  const blackout = nature.blackouts.find(({ fromMs, toMs }) => fromMs <= ms && ms < toMs)
  if (blackout?.hosts.has(host)) return blackout.mode
  const outage = nature.outages.get(host)?.find(({ fromMs, toMs }) => fromMs <= ms && ms < toMs)
  return outage?.mode ?? 'OK'
}
