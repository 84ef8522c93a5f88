// Made from openapi-ext.json by sdk/make-sdk.ts. Edit the contract and make it again, not this file.
export type * from './alert-contacts.ts'
export type * from './checks.ts'
export type * from './monitors.ts'
export type * from './organization.ts'
export type * from './shared.ts'
export type * from './sources.ts'
export type * from './subscribers.ts'
export type * from './tags.ts'
