// The regions checks run from, and which of them is the organization's home.
import { closed, input, nullable, time } from '../schema.ts'
import { Type } from '../type.ts'
import { privateOperation } from './operation.ts'

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
  path: '/regions',
  who: 'READ_ONLY',
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
  path: '/home-region',
  who: 'ADMIN',
  body: {
    schema: input({ region: nullable(Type.String({ minLength: 1, maxLength: MAX_REGION })) }),
    required: true,
  },
  reply: { status: 200, body: closed({ region: nullable(Type.String()) }) },
})

export const REGION_OPERATIONS = [listRegions, changeHomeRegion] as const
