// The first segments of the dashboard's addresses. The server answers these with the dashboard's page and leaves
// every other unknown address a real 404; the dashboard's router may use no other.

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
