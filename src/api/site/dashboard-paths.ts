// The first segments of the dashboard's paths. The server serves the dashboard's page under these and a real 404 for
// every other unknown path; the dashboard's router may use no others.

export const DASHBOARD_PATHS = [
  'sign-in',
  'setup',
  'reset-password',
  'invitation',
  'confirm-contact',
  'welcome',
  'monitors',
  'incidents',
  'status-pages',
  'maintenance',
  'webhooks',
  'alert-contacts',
  'api-keys',
  'team',
  'audit-log',
  'settings',
  'account',
] as const
