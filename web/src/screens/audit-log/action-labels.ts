/** Labels of actions. An action without one is shown by its name. */
const ACTION_LABELS: Readonly<Record<string, string>> = {
  createMonitor: 'Created a monitor',
  updateMonitor: 'Changed a monitor',
  deleteMonitor: 'Deleted a monitor',
  pauseMonitor: 'Paused a monitor',
  resumeMonitor: 'Resumed a monitor',
  checkMonitor: 'Checked a monitor',
  acknowledgeIncident: 'Took an incident',
  addIncidentNote: 'Wrote a note on an incident',
  createStatusPage: 'Created a status page',
  updateStatusPage: 'Changed a status page',
  deleteStatusPage: 'Deleted a status page',
  createStatusIncident: 'Published an incident',
  updateStatusIncident: 'Changed a published incident',
  createStatusIncidentUpdate: 'Updated a published incident',
  deleteStatusIncident: 'Deleted a published incident',
  createMaintenanceWindow: 'Scheduled a maintenance window',
  updateMaintenanceWindow: 'Changed a maintenance window',
  deleteMaintenanceWindow: 'Canceled a maintenance window',
  createWebhookEndpoint: 'Created a webhook endpoint',
  updateWebhookEndpoint: 'Changed a webhook endpoint',
  deleteWebhookEndpoint: 'Deleted a webhook endpoint',
  rotateWebhookEndpointSecret: 'Rotated a signing secret',
  testWebhookEndpoint: 'Sent a test event',
  retryWebhookDelivery: 'Sent a delivery again',
  createAlertContact: 'Created an alert contact',
  updateAlertContact: 'Changed an alert contact',
  deleteAlertContact: 'Deleted an alert contact',
  testAlertContact: 'Tested an alert contact',
  resendContactConfirmation: 'Resent a confirmation email',
  attachAlertContact: 'Chose the monitors of an alert contact',
  createKey: 'Made an API key',
  updateKey: 'Changed an API key',
  replaceKey: 'Replaced an API key',
  revokeKey: 'Revoked an API key',
  invite: 'Invited somebody',
  withdrawInvitation: 'Withdrew an invitation',
  joinOrganization: 'Joined',
  changeRole: 'Changed a role',
  removeMember: 'Removed a member',
  leaveOrganization: 'Left',
  changePlan: 'Changed the plan or subscription',
  renameOrganization: 'Renamed the organization',
  makeOrganization: 'Made the organization',
}

export const actionLabel = (action: string): string => ACTION_LABELS[action] ?? action

/** Filter options in alphabetical order. */
export const ACTIONS = Object.entries(ACTION_LABELS)
  .map(([value, label]) => ({ value, label }))
  .toSorted((one, other) => one.label.localeCompare(other.label))
