// Every operation of the dashboard's private API: its own, and the public ones for members of an organization.
import { OPERATIONS } from '../public/operations.ts'
import * as account from './account.ts'
import { ALERT_CONTACT_OPERATIONS } from './alert-contacts.ts'
import { ESCALATION_OPERATIONS } from './alerts/escalation.ts'
import { listAuditLog } from './audit-log.ts'
import { CHECK_SCREEN_OPERATIONS } from './check-screens.ts'
import { DELIVERY_SCREEN_OPERATIONS } from './delivery-screens.ts'
import { EXPORT_OPERATIONS } from './exports.ts'
import { INCIDENT_POST_OPERATIONS } from './incident-posts.ts'
import { INCIDENT_SCREEN_OPERATIONS } from './incident-screens.ts'
import { EVIDENCE_OPERATIONS } from './incidents/evidence.ts'
import { INSTALLATION_OPERATIONS } from './installation/installation.ts'
import { ACKNOWLEDGEMENT_OPERATIONS } from './links/acknowledgements.ts'
import { CONTACT_CONFIRMATION_OPERATIONS } from './links/contact-confirmations.ts'
import { MONITOR_BULK_OPERATIONS } from './monitor-bulks.ts'
import { MONITOR_SCREEN_OPERATIONS } from './monitor-screens.ts'
import { setSectionTag } from './monitors/followed-tags.ts'
import { MONITOR_IMPORT_OPERATIONS } from './monitors/imports.ts'
import { REGION_SETTING_OPERATIONS } from './monitors/region-settings.ts'
import { replayMonitor } from './monitors/replay.ts'
import { MONITOR_VIEW_OPERATIONS } from './monitors/views.ts'
import { forMembers, type PrivateOperation } from './operation.ts'
import * as organization from './organization.ts'
import { ORGANIZATION_SETTINGS_OPERATIONS } from './organization-settings.ts'
import { PAGE_SCREEN_OPERATIONS } from './page-screens.ts'
import { PAGE_SUBSCRIBER_OPERATIONS } from './page-subscribers.ts'
import * as passkeys from './passkeys.ts'
import { PUSH_DEVICE_OPERATIONS } from './push-devices.ts'
import { RECEIVER_TEST_OPERATIONS } from './receiver-tests.ts'
import { REGION_OPERATIONS } from './regions.ts'
import { searchEverything } from './search.ts'
import { listManagedResources } from './sources/managed.ts'
import { PAGE_LEDGER_OPERATIONS } from './status-pages/ledger.ts'
import { streamChanges } from './stream.ts'
import { TAG_OPERATIONS } from './tags.ts'
import { tryMonitor } from './try-monitor.ts'
import { getCalendar } from './window-screens.ts'

const LIST = [
  account.getSignInStatus,
  account.signIn,
  account.verifySecondFactor,
  account.signOut,
  passkeys.beginPasskeySignIn,
  passkeys.signInByPasskey,
  account.readSetup,
  account.setUpInstallation,
  account.requestPasswordReset,
  account.resetPassword,
  account.readInvitation,
  account.acceptInvitation,

  account.getMe,
  account.updateMe,
  account.changePassword,
  account.beginSecondFactor,
  account.confirmSecondFactor,
  account.removeSecondFactor,
  passkeys.listPasskeys,
  passkeys.beginPasskeyRegistration,
  passkeys.addPasskey,
  passkeys.removePasskey,
  account.linkIdentity,
  account.unlinkIdentity,
  account.listSessions,
  account.endSession,
  account.createOrganization,
  ...INSTALLATION_OPERATIONS,

  organization.getOrganization,
  organization.renameOrganization,
  organization.listMembers,
  organization.changeMemberRole,
  organization.removeMember,
  organization.leaveOrganization,
  organization.listInvitations,
  organization.inviteMember,
  organization.revokeInvitation,
  organization.listKeys,
  organization.createKey,
  organization.updateKey,
  organization.revokeKey,
  organization.replaceKey,
  listAuditLog,
  organization.testEmail,
  ...ORGANIZATION_SETTINGS_OPERATIONS,

  ...REGION_OPERATIONS,
  ...REGION_SETTING_OPERATIONS,
  ...ALERT_CONTACT_OPERATIONS,
  ...CONTACT_CONFIRMATION_OPERATIONS,
  ...ACKNOWLEDGEMENT_OPERATIONS,
  ...ESCALATION_OPERATIONS,
  ...RECEIVER_TEST_OPERATIONS,
  ...TAG_OPERATIONS,
  setSectionTag,
  ...MONITOR_BULK_OPERATIONS,
  ...MONITOR_VIEW_OPERATIONS,
  ...MONITOR_IMPORT_OPERATIONS,
  ...PUSH_DEVICE_OPERATIONS,
  listManagedResources,

  ...MONITOR_SCREEN_OPERATIONS,
  ...CHECK_SCREEN_OPERATIONS,
  ...INCIDENT_SCREEN_OPERATIONS,
  ...EVIDENCE_OPERATIONS,
  replayMonitor,
  ...DELIVERY_SCREEN_OPERATIONS,
  getCalendar,
  ...PAGE_SCREEN_OPERATIONS,
  ...PAGE_LEDGER_OPERATIONS,
  ...PAGE_SUBSCRIBER_OPERATIONS,
  ...INCIDENT_POST_OPERATIONS,
  searchEverything,
  ...EXPORT_OPERATIONS,
  tryMonitor,
  streamChanges,
] as const

export type DashboardOperation = (typeof LIST)[number]
export const DASHBOARD_OPERATIONS: readonly PrivateOperation[] = LIST

export const PRIVATE_OPERATIONS: readonly PrivateOperation[] = [
  ...DASHBOARD_OPERATIONS,
  ...OPERATIONS.map(forMembers),
]
