import { changeHomeRegion } from '../../actions/set-home-region.ts'
import * as contract from '../../contract/app/regions.ts'
import { findHomeRegion, listRegionNames } from '../../store/regions.ts'
import { type AppBound, type AppHandler, bindApp } from './bind-app.ts'

const list: AppHandler<typeof contract.listRegions> = async (_input, { tenant }) => {
  const [home, names] = await Promise.all([findHomeRegion(tenant), listRegionNames(tenant)])
  return { home, data: names.map((name) => ({ name })) }
}

const change: AppHandler<typeof contract.changeHomeRegion> = async ({ body }, { tx }) => {
  await changeHomeRegion(tx, body.region)
  return { region: body.region }
}

export const regionOperations: readonly AppBound[] = [
  bindApp(contract.listRegions, list),
  bindApp(contract.changeHomeRegion, change),
]
