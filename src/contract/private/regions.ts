// The regions checks run from, and which of them is the organization's home.
import { closed, input, nullable, time } from '../schema.ts'
import { Type } from '../type.ts'
import { ORGANIZATION_PATH, OrganizationParams, privateOperation } from './operation.ts'

const MAX_REGION = 64

/** Probes are shared by all organizations: nothing here reveals who else uses them. */
const Probe = closed({
  name: Type.String(),
  version: nullable(Type.String()),
  isLive: Type.Boolean(),
  isRevoked: Type.Boolean(),
  lateMs: nullable(Type.Integer()),
  lastSeenAt: nullable(time()),
})

export const listRegions = privateOperation({
  id: 'listRegions',
  method: 'GET',
  path: `${ORGANIZATION_PATH}/regions`,
  who: 'READ_ONLY',
  params: OrganizationParams,
  reply: {
    status: 200,
    body: closed({
      /** Null means the oldest region that has probes. */
      home: nullable(Type.String()),
      data: Type.Array(closed({ name: Type.String(), probes: Type.Array(Probe) })),
    }),
  },
})

export const changeHomeRegion = privateOperation({
  id: 'changeHomeRegion',
  method: 'PATCH',
  path: `${ORGANIZATION_PATH}/home-region`,
  who: 'ADMIN',
  params: OrganizationParams,
  body: {
    schema: input({ region: nullable(Type.String({ minLength: 1, maxLength: MAX_REGION })) }),
    required: true,
  },
  reply: { status: 200, body: closed({ region: nullable(Type.String()) }) },
})

export const REGION_OPERATIONS = [listRegions, changeHomeRegion] as const
