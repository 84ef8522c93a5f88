// Every operation of the extension API, in the order of the reference.
import { ALERT_CONTACT_OPERATIONS } from './alert-contacts.ts'
import { ESCALATION_OPERATIONS } from './escalation.ts'
import { EVIDENCE_OPERATIONS } from './evidence.ts'
import { FIGURE_OPERATIONS } from './figures.ts'
import { CHECK_OPERATIONS, createMonitorDetail, listMonitorDetails } from './monitors.ts'
import type { ExtOperation } from './operation.ts'
import { ORGANIZATION_OPERATIONS } from './organization.ts'
import { PING_ALIAS_OPERATIONS } from './ping-aliases.ts'
import { REGION_SETTING_OPERATIONS } from './region-settings.ts'
import { SOURCE_OPERATIONS } from './sources.ts'
import { SUBSCRIBER_OPERATIONS } from './subscribers.ts'
import { TAG_OPERATIONS } from './tags.ts'

export const EXT_OPERATIONS: readonly ExtOperation[] = [
  ...ALERT_CONTACT_OPERATIONS,
  ...ESCALATION_OPERATIONS,
  ...FIGURE_OPERATIONS,
  ...EVIDENCE_OPERATIONS,
  listMonitorDetails,
  createMonitorDetail,
  ...CHECK_OPERATIONS,
  ...ORGANIZATION_OPERATIONS,
  ...REGION_SETTING_OPERATIONS,
  ...SUBSCRIBER_OPERATIONS,
  ...TAG_OPERATIONS,
  ...SOURCE_OPERATIONS,
  ...PING_ALIAS_OPERATIONS,
]
