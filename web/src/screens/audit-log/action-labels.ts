// Sentences about entries of the audit log. `{}` is replaced by the object, and `{fields}` by "name and URL of ".
import { currentAction } from '../../../../src/domain/people/audit-actions.ts'
import { plural } from '../../time/figures.ts'
import { fieldLabel } from './values.ts'

type Wording = { label: string; text: string }

const WORDINGS: Readonly<Record<string, Wording>> = {
  createMonitor: { label: 'Monitor created', text: 'Created monitor {}' },
  createMonitorDetail: { label: 'Monitor created with its relations', text: 'Created monitor {}' },
  updateMonitor: { label: 'Monitor updated', text: 'Updated {fields}{}' },
  deleteMonitor: { label: 'Monitor deleted', text: 'Deleted monitor {}' },
  pauseMonitor: { label: 'Monitor paused', text: 'Paused {}' },
  resumeMonitor: { label: 'Monitor resumed', text: 'Resumed {}' },
  checkMonitor: { label: 'Monitor checked', text: 'Checked {}' },
  addMonitorTag: { label: 'Tag added to monitor', text: 'Added a tag to {}' },
  removeMonitorTag: { label: 'Tag removed from monitor', text: 'Removed a tag of {}' },
  tryMonitor: { label: 'Check run before saving', text: 'Ran a check without saving it' },
  runCheck: { label: 'Check run without saving', text: 'Ran a check without saving it' },
  runMonitorCheck: { label: 'Check run without recording', text: 'Ran an unrecorded check of {}' },
  putSourceBindings: { label: 'File bindings changed', text: 'Changed the bindings of {}' },
  deleteSource: { label: 'File bindings deleted', text: 'Deleted the bindings of {}' },
  setMonitorTags: { label: 'Monitor tagged', text: 'Changed tags of {}' },
  startBulkChange: { label: 'Monitors changed together', text: 'Changed' },
  importMonitors: { label: 'Monitors imported', text: 'Imported' },
  addPingAliases: { label: 'Ping aliases added', text: 'Added ping aliases' },
  removePingAliases: { label: 'Ping aliases removed', text: 'Removed ping aliases of {}' },
  putEscalationPolicy: { label: 'Escalation changed', text: 'Changed escalation of {}' },
  deleteEscalationPolicy: { label: 'Escalation deleted', text: 'Deleted escalation of {}' },
  putMonitorRegions: { label: 'Monitor regions chosen', text: 'Chose the regions of {}' },
  deleteMonitorRegions: { label: 'Monitor regions removed', text: 'Removed the regions of {}' },
  putTagRegions: { label: 'Tag regions chosen', text: 'Chose the regions of tag {}' },
  deleteTagRegions: { label: 'Tag regions removed', text: 'Removed the regions of tag {}' },
  putOrganizationRegions: {
    label: 'Regions chosen',
    text: 'Chose the regions of the organization',
  },
  deleteOrganizationRegions: {
    label: 'Regions removed',
    text: 'Removed the regions of the organization',
  },
  createTag: { label: 'Tag created', text: 'Created tag {}' },
  renameTag: { label: 'Tag renamed', text: 'Renamed tag {}' },
  saveMonitorView: { label: 'View saved', text: 'Saved view {}' },
  renameMonitorView: { label: 'View renamed', text: 'Renamed view {}' },
  deleteMonitorView: { label: 'View deleted', text: 'Deleted view {}' },
  deleteTag: { label: 'Tag deleted', text: 'Deleted tag {}' },
  acknowledgeIncident: { label: 'Incident acknowledged', text: 'Acknowledged incident of {}' },
  addIncidentNote: { label: 'Incident note added', text: 'Added a note to incident of {}' },
  createStatusPage: { label: 'Status page created', text: 'Created status page {}' },
  setSectionTag: {
    label: 'Section tag changed',
    text: 'Changed which tag a section follows on {}',
  },
  setPageLedger: { label: 'Ledger changed', text: 'Changed whether {} shows its ledger' },
  updateStatusPage: { label: 'Status page updated', text: 'Updated {fields}status page {}' },
  deleteStatusPage: { label: 'Status page deleted', text: 'Deleted status page {}' },
  removePageSubscriber: { label: 'Subscriber removed', text: 'Removed a subscriber of {}' },
  createStatusIncident: { label: 'Incident published', text: 'Published incident {}' },
  updateStatusIncident: {
    label: 'Published incident updated',
    text: 'Updated {fields}published incident {}',
  },
  createStatusIncidentUpdate: {
    label: 'Incident update posted',
    text: 'Posted an update to {}',
  },
  publishStatusIncident: {
    label: 'Incident published in dashboard',
    text: 'Published incident {}',
  },
  postStatusIncidentUpdate: {
    label: 'Incident update posted in dashboard',
    text: 'Posted an update to {}',
  },
  savePostMortem: { label: 'Post-mortem saved', text: 'Saved the post-mortem of {}' },
  deletePostMortem: { label: 'Post-mortem deleted', text: 'Deleted the post-mortem of {}' },
  deleteStatusIncident: {
    label: 'Published incident deleted',
    text: 'Deleted published incident {}',
  },
  createMaintenanceWindow: {
    label: 'Maintenance scheduled',
    text: 'Scheduled maintenance window {}',
  },
  updateMaintenanceWindow: {
    label: 'Maintenance updated',
    text: 'Updated {fields}maintenance window {}',
  },
  deleteMaintenanceWindow: {
    label: 'Maintenance canceled',
    text: 'Canceled maintenance window {}',
  },
  createWebhookEndpoint: { label: 'Webhook created', text: 'Created webhook {}' },
  updateWebhookEndpoint: { label: 'Webhook updated', text: 'Updated {fields}webhook {}' },
  deleteWebhookEndpoint: { label: 'Webhook deleted', text: 'Deleted webhook {}' },
  rotateWebhookEndpointSecret: {
    label: 'Webhook secret rotated',
    text: 'Rotated the signing secret of {}',
  },
  testWebhookEndpoint: { label: 'Webhook tested', text: 'Sent a test event' },
  tryWebhookEndpoint: {
    label: 'Webhook tested before saving',
    text: 'Sent a test event from the form',
  },
  retryWebhookDelivery: { label: 'Delivery resent', text: 'Resent delivery' },
  createAlertContact: { label: 'Contact created', text: 'Created contact {}' },
  updateAlertContact: { label: 'Contact updated', text: 'Updated {fields}contact {}' },
  moveAlertContact: {
    label: 'Contact moved from Opsgenie',
    text: 'Moved contact {} to Jira Service Management',
  },
  deleteAlertContact: { label: 'Contact deleted', text: 'Deleted contact {}' },
  testAlertContact: { label: 'Contact tested', text: 'Sent a test alert to {}' },
  tryAlertContact: {
    label: 'Contact tested before saving',
    text: 'Sent a test alert from the form',
  },
  resendContactConfirmation: {
    label: 'Contact confirmation resent',
    text: 'Resent the confirmation email to {}',
  },
  addPageSubscriber: { label: 'Subscriber added', text: 'Added a subscriber' },
  detachAlertContact: {
    label: 'Contact detached from monitor',
    text: 'Detached a monitor from contact {}',
  },
  attachAlertContact: { label: 'Contact monitors changed', text: 'Changed monitors of contact {}' },
  addPushDevice: { label: 'Notifications turned on', text: 'Turned on notifications on {}' },
  removePushDevice: { label: 'Notifications turned off', text: 'Turned off notifications on {}' },
  testPushDevices: { label: 'Notifications tested', text: 'Sent a test notification' },
  createKey: { label: 'API key created', text: 'Created API key {}' },
  updateKey: { label: 'API key updated', text: 'Updated {fields}API key {}' },
  replaceKey: { label: 'API key replaced', text: 'Replaced API key {}' },
  revokeKey: { label: 'API key revoked', text: 'Revoked API key {}' },
  inviteMember: { label: 'Member invited', text: 'Invited {}' },
  revokeInvitation: { label: 'Invitation revoked', text: 'Revoked invitation for {}' },
  joinOrganization: { label: 'Member joined', text: 'Joined' },
  changeMemberRole: { label: 'Role changed', text: 'Changed the role of {}' },
  removeMember: { label: 'Member removed', text: 'Removed {}' },
  leaveOrganization: { label: 'Member left', text: 'Left' },
  changePlan: { label: 'Plan changed', text: 'Changed the plan or subscription' },
  changeHomeRegion: { label: 'Home region changed', text: 'Changed the home region' },
  renameOrganization: { label: 'Organization renamed', text: 'Renamed the organization' },
  freezeForMove: {
    label: 'Organization frozen for a move',
    text: 'Froze the organization for a move',
  },
  exportForMove: { label: 'Organization exported', text: 'Exported the organization for a move' },
  importFromMove: {
    label: 'Organization moved here',
    text: 'Moved the organization to this installation',
  },
  undoMove: { label: 'Move undone', text: 'Undid the move of the organization' },
  changeTimezone: { label: 'Time zone changed', text: 'Changed the time zone' },
  requireSecondFactor: {
    label: 'Two-factor requirement changed',
    text: 'Changed whether two-factor authentication is required',
  },
  deleteOrganization: { label: 'Organization deleted', text: 'Deleted the organization' },
  restoreOrganization: {
    label: 'Organization deletion undone',
    text: 'Undid the deletion of the organization',
  },
  testEmail: { label: 'Test email sent', text: 'Sent a test email' },
}

const BULKS: Readonly<Record<string, string>> = {
  PAUSE: 'Paused',
  RESUME: 'Resumed',
  DELETE: 'Deleted',
  INTERVAL: 'Changed the interval of',
  CONTACTS: 'Changed alert contacts of',
  TAGS: 'Changed tags of',
  IMPORT: 'Imported',
}

type Entry = {
  action: string
  resourceId: string | null
  resourceName: string | null
  changes: readonly { field: string }[]
  verb: string | null
  count: number | null
}

type Sentence = {
  before: string
  /** The changed fields: empty if the sentence names none. */
  fields: string
  after: string
  /** Null if the sentence needs none. */
  object: string | null
}

/** Its parts are read one after the other. */
export function sentenceOf(entry: Entry): Sentence {
  const { action, resourceId, resourceName, changes, verb, count } = entry
  const done = (before: string): Sentence => ({ before, fields: '', after: '', object: null })
  if (count !== null) return done(`${BULKS[verb ?? ''] ?? 'Changed'} ${plural(count, 'monitor')}`)
  const text = WORDINGS[currentAction(action)]?.text ?? `${inWords(action)} {}`
  const object = text.includes('{}') ? (resourceName ?? resourceId) : null
  const [start = '', end = ''] = text.replace('{}', '').split('{fields}')
  if (changes.length > 0 && text.includes('{fields}'))
    return { before: start, fields: fieldNames(changes), after: ` of ${end}`, object }
  return { ...done(toWhole(start + end, object)), object }
}

const toWhole = (text: string, object: string | null): string =>
  object === null ? withoutPreposition(text.trimEnd()) : text

const MOST_FIELDS = 3
const listed = new Intl.ListFormat('en')

function fieldNames(changes: Entry['changes']): string {
  const names = changes.map(({ field }) => lowerFirst(fieldLabel(field)))
  const rest = names.length - MOST_FIELDS
  return listed.format(
    rest > 1 ? [...names.slice(0, MOST_FIELDS), `${plural(rest, 'more field')}`] : names,
  )
}

/** "URL" stays as it is. */
const lowerFirst = (label: string): string =>
  /^[A-Z]{2}/.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1)

/** What was done, without its object: `Monitor updated`. */
export const actionLabel = (action: string): string =>
  WORDINGS[currentAction(action)]?.label ?? inWords(action)

/** Of an action without a sentence: `Added later` for addedLater. */
const inWords = (action: string): string => fieldLabel(action)

const PREPOSITIONS = [' of', ' for', ' to', ' on']

/** Without an object, "Deleted contact" is still a sentence, and "Changed tags of" is not. */
function withoutPreposition(text: string): string {
  const last = PREPOSITIONS.find((word) => text.endsWith(word))
  return last === undefined ? text : text.slice(0, -last.length)
}

/** Filter options in alphabetical order. */
export const ACTIONS = Object.entries(WORDINGS)
  .map(([value, { label }]) => ({ value, label }))
  .toSorted((one, other) => one.label.localeCompare(other.label))
