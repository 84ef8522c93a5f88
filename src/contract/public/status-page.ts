// A public status page as it is read, created and changed.
import type { Static } from 'typebox'
import { COMPONENT_STATES } from '../../domain/status-pages/page-state.ts'
import { MAX_COMPONENTS } from '../../domain/status-pages/sections.ts'
import { PAGE_DEFAULTS } from '../../domain/status-pages/status-page.ts'
import { LOCALES } from '../../domain/values/locale.ts'
import { closed, id, input, nullable, oneOf, patch, timestamp } from '../schema.ts'
import { Type } from '../type.ts'

export const CUSTOM_DOMAIN_STATES = ['NONE', 'PENDING', 'ACTIVE', 'FAILED'] as const
export const THEMES = ['SYSTEM', 'LIGHT', 'DARK'] as const
const MAX_SECTIONS = 50

// Written for Ajv's `u` flag: the hyphen comes last, unescaped.
const SLUG = '^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$'
const HOSTNAME =
  '^(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?[.])+(?:[A-Za-z]{2,63}|[Xx][Nn]--[A-Za-z0-9-]{0,58}[A-Za-z0-9])$'
const HTTP_URL = '^[Hh][Tt][Tt][Pp][Ss]?://[^\\s/]'

const ABOUT = {
  name: 'Name of the page.',
  slug: 'Last part of the public address. Unique in the whole service.',
  description: 'Text below the name of the page.',
  published: 'Whether the page is public. If not, its address returns 404.',
  customDomain: 'Hostname of your own for the page.',
  theme: 'Light, dark, or what the visitor prefers.',
  accentColor: 'Color of links, such as `#5443d2`.',
  logoUrl: 'Address of the logo.',
  faviconUrl: 'Address of the icon in the browser tab.',
  homepageUrl: 'Where the logo links to.',
  supportUrl: 'Where visitors get help.',
  locale: 'Language of the page.',
  timezone: 'IANA time zone whose days the history shows, such as `Europe/Berlin`.',
  historyDays: 'Days of history on the page.',
  showUptime: 'Whether uptime is shown in percent.',
  showResponseTime: 'Whether response times are shown.',
  allowIndexing: 'Whether search engines may list the page.',
  subscribersEnabled: 'Whether visitors can subscribe by email.',
  sections: 'Groups of components, in the order of the page.',
  sectionName: 'Heading of the section. Null shows none.',
  collapsed: 'Whether the section starts collapsed.',
  componentName: 'Name visitors see.',
  componentDescription: 'Text visitors see beside the name.',
  monitorId: 'Monitor whose state the component shows.',
}

export const StatusPageComponent = closed({
  id: id('Id of the component.'),
  name: Type.String({ description: ABOUT.componentName }),
  description: nullable(Type.String({ description: ABOUT.componentDescription })),
  monitorId: nullable(Type.String({ description: ABOUT.monitorId })),
  state: oneOf(COMPONENT_STATES, { description: 'What visitors see now.' }),
})

export const StatusPageSection = closed({
  id: id('Id of the section.'),
  name: nullable(Type.String({ description: ABOUT.sectionName })),
  collapsed: Type.Boolean({ description: ABOUT.collapsed }),
  components: Type.Array(StatusPageComponent, { description: 'Its components, in order.' }),
})

export const StatusPageBody = closed({
  id: id('Id of the status page.'),
  name: Type.String({ description: ABOUT.name }),
  slug: Type.String({ description: ABOUT.slug }),
  url: Type.String({ description: 'Public address; the custom domain once it is ACTIVE.' }),
  description: nullable(Type.String({ description: ABOUT.description })),
  published: Type.Boolean({ description: ABOUT.published }),
  customDomain: nullable(Type.String({ description: ABOUT.customDomain })),
  customDomainStatus: oneOf(CUSTOM_DOMAIN_STATES, {
    description: 'Progress of the custom domain. NONE without one.',
  }),
  passwordProtected: Type.Boolean({ description: 'Whether visitors need a password.' }),
  theme: oneOf(THEMES, { description: ABOUT.theme }),
  accentColor: nullable(Type.String({ description: ABOUT.accentColor })),
  logoUrl: nullable(Type.String({ description: ABOUT.logoUrl })),
  faviconUrl: nullable(Type.String({ description: ABOUT.faviconUrl })),
  homepageUrl: nullable(Type.String({ description: ABOUT.homepageUrl })),
  supportUrl: nullable(Type.String({ description: ABOUT.supportUrl })),
  locale: Type.String({ description: ABOUT.locale }),
  timezone: Type.String({ description: ABOUT.timezone }),
  historyDays: Type.Integer({ description: ABOUT.historyDays }),
  showUptime: Type.Boolean({ description: ABOUT.showUptime }),
  showResponseTime: Type.Boolean({ description: ABOUT.showResponseTime }),
  allowIndexing: Type.Boolean({ description: ABOUT.allowIndexing }),
  subscribersEnabled: Type.Boolean({ description: ABOUT.subscribersEnabled }),
  sections: Type.Array(StatusPageSection, { description: ABOUT.sections }),
  state: oneOf(COMPONENT_STATES, { description: 'State of the whole page, from its components.' }),
  createdAt: timestamp('When it was created.'),
  updatedAt: timestamp('When it last changed.'),
})
export type StatusPageBody = Static<typeof StatusPageBody>

const STAYS = 'Left out beside an `id`: it stays.'

// No defaults here: fields that an entry with an ID leaves out stay unchanged.
/** 200 components in 20 sections, and every other field. The schema cannot say that all sections share the 200. */
export const MOST_TOKENS_OF_PAGE = 10_000

export const StatusPageComponentInput = input({
  id: Type.Optional(id('Keeps a component that exists. Without it a new one is created.')),
  name: Type.Optional(
    nullable(
      Type.String({
        minLength: 1,
        maxLength: 120,
        description: `${ABOUT.componentName} Null or left out: the name of the monitor. ${STAYS}`,
      }),
    ),
  ),
  description: Type.Optional(
    nullable(
      Type.String({ maxLength: 500, description: `${ABOUT.componentDescription} ${STAYS}` }),
    ),
  ),
  monitorId: Type.Optional(
    nullable(Type.String({ minLength: 1, description: `${ABOUT.monitorId} ${STAYS}` })),
  ),
  manualState: Type.Optional(
    oneOf(COMPONENT_STATES, {
      description: `State of a component without a monitor; OPERATIONAL if none was ever set. ${STAYS}`,
    }),
  ),
})

export const StatusPageSectionInput = input({
  id: Type.Optional(id('Keeps a section that exists. Without it a new one is created.')),
  name: Type.Optional(
    nullable(Type.String({ maxLength: 120, description: `${ABOUT.sectionName} ${STAYS}` })),
  ),
  collapsed: Type.Optional(Type.Boolean({ description: `${ABOUT.collapsed} ${STAYS}` })),
  components: Type.Optional(
    Type.Array(StatusPageComponentInput, {
      maxItems: MAX_COMPONENTS,
      description: `Its components, in order. At most ${MAX_COMPONENTS} on a page. ${STAYS}`,
    }),
  ),
})

const httpUrl = (description: string) =>
  nullable(Type.String({ maxLength: 2048, pattern: HTTP_URL, default: null, description }))

const writable = {
  name: Type.String({ minLength: 1, maxLength: 120, description: ABOUT.name }),
  slug: Type.Optional(
    Type.String({
      minLength: 3,
      maxLength: 63,
      pattern: SLUG,
      description: `${ABOUT.slug} Left out: derived from the name.`,
    }),
  ),
  description: nullable(
    Type.String({ maxLength: 2000, default: null, description: ABOUT.description }),
  ),
  published: Type.Boolean({ default: PAGE_DEFAULTS.published, description: ABOUT.published }),
  customDomain: nullable(
    Type.String({
      maxLength: 253,
      pattern: HOSTNAME,
      default: null,
      description: ABOUT.customDomain,
    }),
  ),
  password: Type.Optional(
    nullable(
      Type.String({
        minLength: 8,
        maxLength: 128,
        description: 'Password of the page; null removes it. It cannot be read back.',
      }),
    ),
  ),
  theme: oneOf(THEMES, { default: PAGE_DEFAULTS.theme, description: ABOUT.theme }),
  accentColor: nullable(
    Type.String({
      pattern: '^#[0-9a-fA-F]{6}$',
      default: null,
      description: ABOUT.accentColor,
    }),
  ),
  logoUrl: httpUrl(ABOUT.logoUrl),
  faviconUrl: httpUrl(ABOUT.faviconUrl),
  homepageUrl: httpUrl(ABOUT.homepageUrl),
  supportUrl: httpUrl(ABOUT.supportUrl),
  locale: oneOf(LOCALES, { default: PAGE_DEFAULTS.locale, description: ABOUT.locale }),
  timezone: Type.String({
    minLength: 1,
    maxLength: 64,
    default: PAGE_DEFAULTS.timezone,
    description: ABOUT.timezone,
  }),
  historyDays: Type.Integer({
    minimum: 7,
    maximum: 365,
    default: PAGE_DEFAULTS.historyDays,
    description: ABOUT.historyDays,
  }),
  showUptime: Type.Boolean({ default: PAGE_DEFAULTS.showUptime, description: ABOUT.showUptime }),
  showResponseTime: Type.Boolean({
    default: PAGE_DEFAULTS.showResponseTime,
    description: ABOUT.showResponseTime,
  }),
  allowIndexing: Type.Boolean({
    default: PAGE_DEFAULTS.allowIndexing,
    description: ABOUT.allowIndexing,
  }),
  subscribersEnabled: Type.Boolean({
    default: PAGE_DEFAULTS.subscribersEnabled,
    description: ABOUT.subscribersEnabled,
  }),
  // No default: it must be known whether it was sent, to reject both forms together.
  sections: Type.Optional(
    Type.Array(StatusPageSectionInput, {
      maxItems: MAX_SECTIONS,
      description: `${ABOUT.sections} Written as a whole: what is missing is removed.`,
    }),
  ),
  monitorIds: Type.Optional(
    Type.Array(id('Id of a monitor.'), {
      maxItems: MAX_COMPONENTS,
      description:
        'Short form: one unnamed section with these monitors, in order. Not with `sections`.',
    }),
  ),
}

export const StatusPageCreate = input(writable)
export const StatusPageUpdate = patch(writable)
