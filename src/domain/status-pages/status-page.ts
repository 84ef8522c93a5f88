// A public status page: its settings, its contents, and how the API shows it.
import {
  choice,
  defaultsOf,
  type Fields,
  integer,
  namesOf,
  orNull,
  pickFields,
  required,
  text,
  type ValuesOf,
  withDefault,
  yesOrNo,
} from '../fields/field.ts'
import type { MonitorType } from '../monitors/monitor.ts'
import { toPublicId } from '../values/id.ts'
import { LOCALES } from '../values/locale.ts'
import {
  type AffectedState,
  type ComponentSources,
  type ComponentState,
  componentState,
  pageState,
} from './page-state.ts'

export const THEMES = ['SYSTEM', 'LIGHT', 'DARK'] as const
export const CUSTOM_DOMAIN_STATES = ['NONE', 'PENDING', 'ACTIVE', 'FAILED'] as const

export type PageTheme = (typeof THEMES)[number]
export type CustomDomainStatus = (typeof CUSTOM_DOMAIN_STATES)[number]

// Written for Ajv's `u` flag: the hyphen comes last, unescaped.
const SLUG = '^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$'
const HOSTNAME =
  '^(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?[.])+(?:[A-Za-z]{2,63}|[Xx][Nn]--[A-Za-z0-9-]{0,58}[A-Za-z0-9])$'
const HTTP_URL = '^[Hh][Tt][Tt][Pp][Ss]?://[^\\s/]'

const httpUrl = /* @__PURE__ */ orNull(text({ maxLength: 2048, pattern: HTTP_URL }))

/** How it looks and what it shows. */
export const PAGE_LOOK = {
  theme: withDefault(choice(THEMES), 'SYSTEM', {
    about: 'Light, dark, or what the visitor prefers.',
    example: 'SYSTEM',
  }),
  accentColor: withDefault(orNull(text({ pattern: '^#[0-9a-fA-F]{6}$' })), null, {
    about: 'Color of links, such as `#5443d2`.',
    example: '#5443d2',
  }),
  logoUrl: withDefault(httpUrl, null, { about: 'Address of the logo.', example: null }),
  faviconUrl: withDefault(httpUrl, null, {
    about: 'Address of the icon in the browser tab.',
    example: null,
  }),
  homepageUrl: withDefault(httpUrl, null, {
    about: 'Where the logo links to.',
    example: 'https://shop.example.com',
  }),
  supportUrl: withDefault(httpUrl, null, { about: 'Where visitors get help.', example: null }),
  locale: withDefault(choice(LOCALES), 'en', {
    about: 'Language of the page.',
    example: 'en',
    shown: { type: 'string' },
  }),
  timezone: withDefault(text({ minLength: 1, maxLength: 64 }), 'UTC', {
    about: 'IANA time zone whose days the history shows, such as `Europe/Berlin`.',
    example: 'Europe/Berlin',
  }),
  historyDays: withDefault(integer({ minimum: 7, maximum: 365 }), 90, {
    about: 'Days of history on the page.',
    example: 90,
  }),
  showUptime: withDefault(yesOrNo, true, {
    about: 'Whether uptime is shown in percent.',
    example: true,
  }),
  showResponseTime: withDefault(yesOrNo, false, {
    about: 'Whether response times are shown.',
    example: false,
  }),
  allowIndexing: withDefault(yesOrNo, true, {
    about: 'Whether search engines may list the page.',
    example: true,
  }),
  subscribersEnabled: withDefault(yesOrNo, true, {
    about: 'Whether visitors can subscribe by email.',
    example: true,
  }),
} as const satisfies Fields

/** Every setting that can be read back, named as in the API. */
export const PAGE_FIELDS = {
  name: required(text({ minLength: 1, maxLength: 120 }), {
    about: 'Name of the page.',
    example: 'Example Shop',
  }),
  slug: required(text({ minLength: 3, maxLength: 63, pattern: SLUG }), {
    about: 'Last part of the public address. Unique in the whole service.',
    example: 'example-shop',
  }),
  description: withDefault(orNull(text({ maxLength: 2000 })), null, {
    about: 'Text below the name of the page.',
    example: 'Shop, checkout and accounts.',
  }),
  published: withDefault(yesOrNo, true, {
    about: 'Whether the page is public. If not, its address returns 404.',
    example: true,
  }),
  customDomain: withDefault(orNull(text({ maxLength: 253, pattern: HOSTNAME })), null, {
    about: 'Hostname of your own for the page.',
    example: null,
  }),
  ...PAGE_LOOK,
} as const satisfies Fields

export type PageSettings = {
  -readonly [F in keyof typeof PAGE_FIELDS]: ValuesOf<typeof PAGE_FIELDS>[F]
}

export const PAGE_SETTINGS = namesOf(PAGE_FIELDS)
export const PAGE_DEFAULTS = defaultsOf(PAGE_FIELDS)

/** As stored. A null name means the monitor's name. */
export type Component = {
  uuid: string
  name: string | null
  description: string | null
  monitorUuid: string | null
  manualState: ComponentState | null
}
export type Section<C = Component> = {
  uuid: string
  name: string | null
  collapsed: boolean
  components: C[]
}

export type ShownComponent = Component & {
  monitorName: string | null
  monitorType: MonitorType | null
  monitorState: ComponentSources['monitorState']
  inWindow: boolean
  incidentStates: AffectedState[]
}

export type StatusPage = PageSettings & {
  uuid: string
  customDomainStatus: CustomDomainStatus
  passwordProtected: boolean
  sections: Section<ShownComponent>[]
  createdAt: Date
  updatedAt: Date
}

export function toApiStatusPage(page: StatusPage, baseUrl: string) {
  const sections = page.sections.map(toApiSection)
  const states = sections.flatMap(({ components }) => components.map(({ state }) => state))
  return {
    id: toPublicId('sp', page.uuid),
    name: page.name,
    slug: page.slug,
    url: pageUrl(page, baseUrl),
    description: page.description,
    published: page.published,
    customDomain: page.customDomain,
    customDomainStatus: page.customDomainStatus,
    passwordProtected: page.passwordProtected,
    ...pickFields(PAGE_LOOK, page),
    sections,
    state: pageState(states),
    createdAt: page.createdAt,
    updatedAt: page.updatedAt,
  }
}

type Addressed = Pick<StatusPage, 'slug' | 'customDomain' | 'customDomainStatus'>

/** The public URL of the page. A custom domain counts only once it is verified. */
export function pageUrl(
  { slug, customDomain, customDomainStatus }: Addressed,
  baseUrl: string,
): string {
  return customDomain !== null && customDomainStatus === 'ACTIVE'
    ? `https://${customDomain}`
    : `${baseUrl}/status/${slug}`
}

/** The name visitors see. */
function componentName({ name, monitorName }: ShownComponent): string {
  return name ?? monitorName ?? ''
}

function toApiSection({ uuid, name, collapsed, components }: Section<ShownComponent>) {
  return {
    id: toPublicId('sec', uuid),
    name,
    collapsed,
    components: components.map(toApiComponent),
  }
}

export function toApiComponent(component: ShownComponent) {
  return {
    id: toPublicId('cmp', component.uuid),
    name: componentName(component),
    description: component.description,
    monitorId: component.monitorUuid && toPublicId('mon', component.monitorUuid),
    state: componentState(component),
  }
}
