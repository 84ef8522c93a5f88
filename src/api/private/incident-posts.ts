// What members write about a published incident beyond the public API.
import { addStatusIncidentUpdate } from '../../actions/status-incidents/add-update.ts'
import { createStatusIncident } from '../../actions/status-incidents/create.ts'
import { savePostMortem } from '../../actions/status-incidents/post-mortem.ts'
import * as contract from '../../contract/private/incident-posts.ts'
import { toApiStatusIncident } from '../../domain/status-pages/status-incident.ts'
import { toPublicId } from '../../domain/values/id.ts'
import { notFound } from '../../platform/api-error.ts'
import {
  deletePostMortem,
  findNotes,
  type IncidentNotes,
} from '../../store/status-pages/incident-notes.ts'
import { auditedById, plain } from '../http/audited.ts'
import { bind, type Handler } from '../http/bind.ts'
import { filterInstant } from '../public/filters.ts'
import { foundIncident, timesOf } from '../public/status-incidents.ts'
import type { BoundPrivateOperation } from './bind.ts'

const get: Handler<typeof contract.getIncidentNotes> = async ({ params }, { tenant }) => {
  return toApiNotes(await findNotes(tenant, params.statusIncidentId))
}

const publish: Handler<typeof contract.publishWithNextUpdate> = async ({ body }, { tx }) => {
  const { nextUpdateBy, ...sent } = body
  const times = { ...timesOf(sent), nextUpdateBy: filterInstant(nextUpdateBy) }
  return toApiStatusIncident(await createStatusIncident(tx, { ...sent, ...times }))
}

const post: Handler<typeof contract.postWithNextUpdate> = async ({ params, body }, { tx }) => {
  const times = {
    createdAt: filterInstant(body.createdAt),
    nextUpdateBy: filterInstant(body.nextUpdateBy),
  }
  return foundIncident(params.statusIncidentId, (uuid) =>
    addStatusIncidentUpdate(tx, uuid, { ...body, ...times }),
  )
}

const save: Handler<typeof contract.savePostMortem> = async ({ params, body }, { tx }) => {
  return toApiNotes(await savePostMortem(tx, params.statusIncidentId, body))
}

const remove: Handler<typeof contract.deletePostMortem> = async ({ params }, { tx }) => {
  if (!(await deletePostMortem(tx, params.statusIncidentId))) throw notFound('post-mortem')
  return { data: { id: toPublicId('sin', params.statusIncidentId) } }
}

function toApiNotes(notes: IncidentNotes | undefined) {
  if (!notes) throw notFound('published incident')
  const { nextUpdateBy, postMortem } = notes
  return { nextUpdateBy, postMortem }
}

const isBlank = (text: unknown) => typeof text === 'string' && text.trim() === ''

const AUDITED_POST_MORTEM = auditedById('sin', async (tx, uuid) => ({
  message: plain((await findNotes(tx, uuid))?.postMortem?.message ?? null),
}))

export const incidentPostOperations: readonly BoundPrivateOperation[] = [
  bind(contract.getIncidentNotes, get),
  bind(contract.publishWithNextUpdate, publish),
  bind(contract.postWithNextUpdate, post),
  bind(contract.savePostMortem, save, {
    rules: ({ message }) =>
      isBlank(message) ? [{ path: 'message', message: 'must not be empty' }] : [],
    audited: AUDITED_POST_MORTEM,
  }),
  bind(contract.deletePostMortem, remove, { audited: AUDITED_POST_MORTEM }),
]
