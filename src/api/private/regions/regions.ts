import { changeHomeRegion } from '../../../actions/monitors/set-home-region.ts'
import * as contract from '../../../contract/private/regions.ts'
import { findHomeRegion, listRegionNames } from '../../../store/core/regions.ts'
import { type ListedProbe, listProbes } from '../../../store/operating/probes.ts'
import { lockSettings } from '../../../store/people/organization-settings.ts'
import { compared, plain } from '../../http/audited.ts'
import { type BoundOperation, bind, type Handler } from '../../http/bind.ts'

const list: Handler<typeof contract.listRegions> = async (_input, { tenant }) => {
  const [home, names, probes] = await Promise.all([
    findHomeRegion(tenant),
    listRegionNames(tenant),
    listProbes(tenant),
  ])
  const data = names.map((name) => ({
    name,
    probes: probes.filter(({ region }) => region === name).map(toApiProbe),
  }))
  // A region that never had a probe, such as a scheduler's own, cannot be chosen.
  return { home, data: data.filter((region) => region.probes.length > 0 || region.name === home) }
}

function toApiProbe(probe: ListedProbe) {
  const { name, version, isLive, lateMs, lastSeenAt, revokedAt } = probe
  return {
    name,
    version,
    isLive,
    isRevoked: revokedAt !== null,
    lateMs,
    lastSeenAt,
  }
}

const change: Handler<typeof contract.changeHomeRegion> = async ({ body }, { tx }) => {
  const { region } = body
  await lockSettings(tx)
  const before = await findHomeRegion(tx)
  await changeHomeRegion(tx, region)
  return compared({ region }, { before, after: region }, (home) => ({ homeRegion: plain(home) }))
}

export const regionOperations: readonly BoundOperation[] = [
  bind(contract.listRegions, list),
  bind(contract.changeHomeRegion, change),
]
