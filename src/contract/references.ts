// What a parameter of a path refers to, by its name: the prefix of its ids, and what a 404 calls it.
import type { IdPrefix } from '../domain/values/id.ts'

type Reference = { prefix: IdPrefix; noun: string }

// biome-ignore format: a table is read by its columns
export const REFERENCES: Readonly<Record<string, Reference>> = {
  monitorId:        { prefix: 'mon', noun: 'monitor' },
  checkId:          { prefix: 'chk', noun: 'check' },
  bulkId:           { prefix: 'blk', noun: 'change' },
  viewId:           { prefix: 'mvw', noun: 'view' },
  tagId:            { prefix: 'tag', noun: 'tag' },
  incidentId:       { prefix: 'inc', noun: 'incident' },
  statusPageId:     { prefix: 'sp',  noun: 'status page' },
  sectionId:        { prefix: 'sec', noun: 'section' },
  subscriberId:     { prefix: 'sub', noun: 'subscriber' },
  statusIncidentId: { prefix: 'sin', noun: 'published incident' },
  maintenanceId:    { prefix: 'mw',  noun: 'maintenance window' },
  endpointId:       { prefix: 'whe', noun: 'webhook endpoint' },
  deliveryId:       { prefix: 'whd', noun: 'webhook delivery' },
  contactId:        { prefix: 'act', noun: 'alert contact' },
  deviceId:         { prefix: 'pdv', noun: 'device' },
  keyId:            { prefix: 'key', noun: 'API key' },
  userId:           { prefix: 'usr', noun: 'member' },
  invitationId:     { prefix: 'inv', noun: 'invitation' },
}
