// The dashboard's operations, bound to their handlers.
import type { RequestTrial } from '../../actions/monitors/request-check.ts'
import type { Operation } from '../../contract/operation.ts'
import { forMembers } from '../../contract/private/operation.ts'
import { PRIVATE_OPERATIONS } from '../../contract/private/operations.ts'
import type { AddressPolicy } from '../../domain/events/webhook.ts'
import { PushKeys } from '../../store/alerts/push-keys.ts'
import { assertComplete, type BoundOperation } from '../http/bind.ts'
import { alertContactOperations } from './alert-contacts.ts'
import { auditLogOperations } from './audit-log.ts'
import { type SendTestEmail, testEmailOperation } from './email-test.ts'
import { everythingOperation } from './export-everything.ts'
import { followedTagOperations } from './followed-tags.ts'
import { type InstallationDeps, installationOperations } from './installation/installation.ts'
import { keyOperations } from './keys.ts'
import { linkOperations } from './links/links.ts'
import { managedResourceOperations } from './managed-resources.ts'
import { monitorBulkOperations } from './monitor-bulks.ts'
import { monitorImportOperations } from './monitor-imports.ts'
import { monitorViewOperations } from './monitor-views.ts'
import { organizationOperations } from './organization.ts'
import { organizationSettingsOperations } from './organization-settings.ts'
import type { BoundPrivateOperation } from './private-api.ts'
import { pushDeviceOperations } from './push-devices.ts'
import { type ReceiverTests, receiverTestOperations } from './receiver-tests.ts'
import { regionOperations } from './regions/regions.ts'
import { regionSettingOperations } from './regions/settings.ts'
import type { PreviewRenderer } from './screens/pages.ts'
import { screenOperations } from './screens/screens.ts'
import { accessOperations, type SignInDeps } from './sign-in/operations.ts'
import { tagOperations } from './tags.ts'
import { tryMonitorOperation } from './try-monitor.ts'

type PrivateDeps = SignInDeps & {
  policy: AddressPolicy
  draw: PreviewRenderer
  receiverTests: ReceiverTests
  requestTrial: RequestTrial
  sendTestEmail: SendTestEmail
  publicOperations: readonly BoundOperation[]
  streamOperations: readonly BoundOperation[]
  installation: Omit<InstallationDeps, 'config' | 'sendTestEmail'>
}

/** What works with many monitors at once. */
const MANY_MONITORS: readonly BoundOperation[] = [
  ...tagOperations,
  ...followedTagOperations,
  ...monitorBulkOperations,
  ...monitorViewOperations,
  ...monitorImportOperations,
  ...managedResourceOperations,
]

export function bindPrivateOperations(deps: PrivateDeps): readonly BoundPrivateOperation[] {
  const { config, policy, draw } = deps
  const canMail = config.smtp !== undefined
  const listing: BoundOperation[] = [
    ...accessOperations(deps),
    ...organizationOperations({ canMail, retention: retentionOf(deps) }),
    ...auditLogOperations,
    testEmailOperation(deps.sendTestEmail),
    ...keyOperations,
    ...organizationSettingsOperations(canMail),
    ...regionOperations,
    ...regionSettingOperations,
    ...alertContactOperations({ policy, canMail }),
    ...receiverTestOperations(deps),
    ...linkOperations(deps.tenants),
    ...MANY_MONITORS,
    ...pushDeviceOperations({ policy, pushKeys: new PushKeys(config.masterKeys) }),
    ...screenOperations({ ...config, draw }),
    tryMonitorOperation(deps.requestTrial),
    ...installationOperations({ ...deps.installation, config, sendTestEmail: deps.sendTestEmail }),
    ...deps.streamOperations,
    ...deps.publicOperations.map(servedToMembers),
  ]
  const bound = [...listing, everythingOperation(listing)]
  assertComplete(PRIVATE_OPERATIONS, bound)
  return bound.filter(isForDashboard)
}

/** All of them are: the contract has no other here. */
const isForDashboard = (bound: BoundOperation): bound is BoundPrivateOperation =>
  bound.operation.who !== undefined

/** A public operation, run by its own handler for a member of the organization in the path. */
const servedToMembers = (bound: BoundOperation): BoundOperation => ({
  ...bound,
  operation: forMembers(bound.operation as Operation),
})

const retentionOf = ({ config }: PrivateDeps) => ({
  checkDays: config.resultRetentionDays,
  auditLogDays: config.auditRetentionDays,
})
