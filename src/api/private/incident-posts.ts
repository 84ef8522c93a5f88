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
import { compared, plain } from '../http/audited.ts'
import { type BoundOperation, bind, type Handler } from '../http/bind.ts'
import { foundIncident } from '../public/status-incidents.ts'

const get: Handler<typeof contract.getIncidentNotes> = async ({ params }, { tenant }) => {
  return toApiNotes(await findNotes(tenant, params.statusIncidentId))
}

const publish: Handler<typeof contract.publishStatusIncident> = async ({ body }, { tx }) =>
  toApiStatusIncident(await createStatusIncident(tx, body))

const post: Handler<typeof contract.postStatusIncidentUpdate> = async ({ params, body }, { tx }) =>
  foundIncident(params.statusIncidentId, (uuid) => addStatusIncidentUpdate(tx, uuid, body))

const save: Handler<typeof contract.savePostMortem> = async ({ params, body }, { tx }) => {
  const change = await savePostMortem(tx, params.statusIncidentId, body)
  if (!change) throw notFound('published incident')
  return compared(toApiNotes(change.after), change, notesFields)
}

const remove: Handler<typeof contract.deletePostMortem> = async ({ params }, { tx }) => {
  const before = await deletePostMortem(tx, params.statusIncidentId)
  if (before === undefined) throw notFound('post-mortem')
  const output = { data: { id: toPublicId('sin', params.statusIncidentId) } }
  return compared(output, { before, after: null }, messageField)
}

function toApiNotes(notes: IncidentNotes | undefined) {
  if (!notes) throw notFound('published incident')
  const { nextUpdateBy, postMortem } = notes
  return { nextUpdateBy, postMortem }
}

const isBlank = (text: unknown) => typeof text === 'string' && text.trim() === ''

const messageField = (message: string | null) => ({ message: plain(message) })
const notesFields = ({ postMortem }: IncidentNotes) => messageField(postMortem?.message ?? null)

export const incidentPostOperations: readonly BoundOperation[] = [
  bind(contract.getIncidentNotes, get),
  bind(contract.publishStatusIncident, publish),
  bind(contract.postStatusIncidentUpdate, post),
  bind(contract.savePostMortem, save, {
    rules: ({ message }) =>
      isBlank(message) ? [{ path: 'message', message: 'must not be empty' }] : [],
  }),
  bind(contract.deletePostMortem, remove),
]
