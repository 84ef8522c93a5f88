// API keys.
import type { FieldSentences } from '../field-problems.ts'

export const keysText = {
  title: 'API keys',
  about: (organization: string) => `Keys for ${organization}. Each has its own rate limit.`,
  create: 'New key',
  createShortcut: 'New API key',
  list: 'Keys',
  which: 'Which keys',
  active: 'Active',
  all: 'All',
  name: 'Name',
  access: 'Access',
  expires: 'Expires',
  lastUsed: 'Last used',
  createdBy: 'Created by',
  state: 'State',
  actions: 'Actions',
  never: 'Never',
  emptyTitle: 'No keys yet',
  emptyAbout: 'Use a key to create monitors, read results and publish incidents from your code.',
  accessNames: { FULL: 'Full', READ_ONLY: 'Read-only' },
  states: {
    REVOKED: 'Revoked',
    EXPIRED: 'Expired',
    DISABLED: 'Disabled',
    soon: 'Expires soon',
    active: 'Active',
  },
  expiresNever: 'Never expires',
  expiresOn: (day: string) => `Expires ${day}`,
  more: (name: string) => `More for ${name}`,
  replace: 'Replace…',
  disable: 'Disable',
  enable: 'Enable',
  revoke: 'Revoke…',
  allowMcp: 'Let assistants change things',
  denyMcp: 'Let assistants only read',
  mcp: 'assistants can change things',
  changed: (name: string) => `${name} updated`,
  enabled: (name: string) => `${name} enabled`,
  disabled: (name: string) => `${name} disabled`,
  revoking: {
    title: (name: string) => `Revoke “${name}”?`,
    about: "Anything using this key stops working immediately. This can't be undone.",
    action: 'Revoke key',
    done: (name: string) => `${name} revoked`,
  },
}

export const keyFormText = {
  title: 'New API key',
  about: 'For scripts and integrations.',
  action: 'Create key',
  name: 'Name',
  nameHint: 'For example “Terraform”.',
  access: 'Access',
  accessHints: { FULL: 'Can read and change everything.', READ_ONLY: 'Can read everything.' },
  expires: 'Expires',
  never: 'Never',
  days30: 'In 30 days',
  days90: 'In 90 days',
  year: 'In one year',
  mcp: 'Let assistants change things',
  mcpHint: 'For assistants that connect over HTTP (MCP) with this key. Without it, they only read.',
}

export const keySentences: FieldSentences = {
  name: { empty: 'Enter a name.', long: 'Use at most 120 characters for the name.' },
  access: { other: 'Choose what the key can do.' },
  expiresAt: { other: 'Choose when the key expires.' },
  mcpWrites: { other: 'Only a key with full access can be used for changes.' },
}

export const newKeyText = {
  title: (name: string) => `Key “${name}” is ready`,
  about: "Copy it now. You won't see it again.",
  label: 'Secret key',
  neverExpires: 'never expires',
  expires: (day: string) => `expires ${day}`,
  hint: (access: string, expires: string) =>
    `${access} access, ${expires}. Don't put it in browser code or a repository.`,
  download: 'Download as .env',
  tryIt: 'Try it',
  copyCurl: 'Copy curl',
  oldExpired: 'The old key has expired.',
  oldWorks: (hours: number) =>
    `The old key works for ${hours === 1 ? 'one more hour' : `${hours} more hours`}.`,
}

export const replaceKeyText = {
  title: (name: string) => `Replace “${name}”`,
  about: 'Creates a new key with the same access. The old one keeps working until it expires.',
  action: 'Create new key',
  old: (last4: string) => `The old key, …${last4}`,
  now: 'Expires now',
  hour: 'Expires in one hour',
  day: 'Expires in one day',
  week: 'Expires in one week',
}
