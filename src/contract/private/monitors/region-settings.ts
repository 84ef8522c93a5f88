// Regions that somebody chose for a monitor, a tag or the organization.
import {
  MAX_CHOSEN_REGIONS,
  MAX_REGION_NAME,
  REGION_MODES,
} from '../../../domain/regions/chosen-regions.ts'
import { closed, Deleted, input, nullable, oneOf, time } from '../../schema.ts'
import { Type } from '../../type.ts'
import { privateOperation } from '../operation.ts'

const ABOUT = {
  regions: 'Names of regions, in the order in which they are asked.',
  mode: 'FIRST: each check runs in the first of them that has a live probe, and the next confirms a failure. EACH: it runs in all of them at once.',
  downWhen:
    'EACH only: how many regions have to fail for the monitor to be DOWN. With fewer, it is DEGRADED. Null: the majority.',
}

export const RegionSettingInput = input({
  regions: Type.Array(Type.String({ minLength: 1, maxLength: MAX_REGION_NAME }), {
    minItems: 1,
    maxItems: MAX_CHOSEN_REGIONS,
    description: ABOUT.regions,
  }),
  mode: oneOf(REGION_MODES, { default: 'FIRST', description: ABOUT.mode }),
  downWhen: nullable(
    Type.Integer({
      minimum: 1,
      maximum: MAX_CHOSEN_REGIONS,
      default: null,
      description: ABOUT.downWhen,
    }),
  ),
})

export const RegionSetting = closed({
  regions: Type.Array(Type.String(), { description: ABOUT.regions }),
  mode: oneOf(REGION_MODES, { description: ABOUT.mode }),
  downWhen: nullable(Type.Integer({ description: ABOUT.downWhen })),
  from: oneOf(['MONITOR', 'TAG', 'ORGANIZATION'] as const, { description: 'Whose setting it is.' }),
  id: nullable(
    Type.String({ description: 'Id of that monitor or tag. Null for the organization.' }),
  ),
  updatedAt: time({ description: 'When it was last changed.' }),
})

/** Without whose it is: as a field of what it was chosen for. */
export const ChosenRegions = closed({
  regions: RegionSetting.properties.regions,
  mode: RegionSetting.properties.mode,
  downWhen: RegionSetting.properties.downWhen,
})

const MonitorParams = Type.Object({
  monitorId: Type.String({ description: 'Id of the monitor.' }),
})
const TagParams = Type.Object({
  tagId: Type.String({ description: 'Id of the tag.' }),
})
const PLACES = {
  monitor: { path: '/monitors/{monitorId}/regions', params: MonitorParams },
  tag: { path: '/tags/{tagId}/regions', params: TagParams },
  organization: { path: '/regions/default' },
} as const
const body = { schema: RegionSettingInput, required: true } as const
const reply = { status: 200, body: RegionSetting } as const

export const getMonitorRegions = privateOperation({
  id: 'getMonitorRegions',
  method: 'GET',
  ...PLACES.monitor,
  who: 'READ_ONLY',
  reply,
})
export const putMonitorRegions = privateOperation({
  id: 'putMonitorRegions',
  method: 'PUT',
  ...PLACES.monitor,
  who: 'MEMBER',
  needsSubscription: true,
  body,
  reply,
})
export const deleteMonitorRegions = privateOperation({
  id: 'deleteMonitorRegions',
  method: 'DELETE',
  ...PLACES.monitor,
  who: 'MEMBER',
  reply: { status: 200, body: Deleted },
})

export const getTagRegions = privateOperation({
  id: 'getTagRegions',
  method: 'GET',
  ...PLACES.tag,
  who: 'READ_ONLY',
  reply,
})
export const putTagRegions = privateOperation({
  id: 'putTagRegions',
  method: 'PUT',
  ...PLACES.tag,
  who: 'MEMBER',
  needsSubscription: true,
  body,
  reply,
})
export const deleteTagRegions = privateOperation({
  id: 'deleteTagRegions',
  method: 'DELETE',
  ...PLACES.tag,
  who: 'MEMBER',
  reply: { status: 200, body: Deleted },
})

export const getOrganizationRegions = privateOperation({
  id: 'getOrganizationRegions',
  method: 'GET',
  ...PLACES.organization,
  who: 'READ_ONLY',
  reply,
})
export const putOrganizationRegions = privateOperation({
  id: 'putOrganizationRegions',
  method: 'PUT',
  ...PLACES.organization,
  who: 'ADMIN',
  needsSubscription: true,
  body,
  reply,
})
export const deleteOrganizationRegions = privateOperation({
  id: 'deleteOrganizationRegions',
  method: 'DELETE',
  ...PLACES.organization,
  who: 'ADMIN',
  reply: { status: 200, body: Deleted },
})

export const REGION_SETTING_OPERATIONS = [
  getMonitorRegions,
  putMonitorRegions,
  deleteMonitorRegions,
  getTagRegions,
  putTagRegions,
  deleteTagRegions,
  getOrganizationRegions,
  putOrganizationRegions,
  deleteOrganizationRegions,
] as const
