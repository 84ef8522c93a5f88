// A public status page: its settings, its contents, and how the API shows it.
import type { MonitorType } from '../monitors/monitor.ts'
import { toPublicId } from '../values/id.ts'
import type { Locale } from '../values/locale.ts'
import {
  type AffectedState,
  type ComponentSources,
  type ComponentState,
  componentState,
  pageState,
} from './page-state.ts'

export type PageTheme = 'SYSTEM' | 'LIGHT' | 'DARK'
export type CustomDomainStatus = 'NONE' | 'PENDING' | 'ACTIVE' | 'FAILED'

/** Every setting that can be read back, named as in the API. */
export type PageSettings = {
  name: string
  slug: string
  description: string | null
  published: boolean
  customDomain: string | null
  theme: PageTheme
  accentColor: string | null
  logoUrl: string | null
  faviconUrl: string | null
  homepageUrl: string | null
  supportUrl: string | null
  locale: Locale
  timezone: string
  historyDays: number
  showUptime: boolean
  showResponseTime: boolean
  allowIndexing: boolean
  subscribersEnabled: boolean
}

export const PAGE_SETTINGS = [
  'name',
  'slug',
  'description',
  'published',
  'customDomain',
  'theme',
  'accentColor',
  'logoUrl',
  'faviconUrl',
  'homepageUrl',
  'supportUrl',
  'locale',
  'timezone',
  'historyDays',
  'showUptime',
  'showResponseTime',
  'allowIndexing',
  'subscribersEnabled',
] as const satisfies readonly (keyof PageSettings)[]

export const PAGE_DEFAULTS: Omit<PageSettings, 'name' | 'slug'> = {
  description: null,
  published: true,
  customDomain: null,
  theme: 'SYSTEM',
  accentColor: null,
  logoUrl: null,
  faviconUrl: null,
  homepageUrl: null,
  supportUrl: null,
  locale: 'en',
  timezone: 'UTC',
  historyDays: 90,
  showUptime: true,
  showResponseTime: false,
  allowIndexing: true,
  subscribersEnabled: true,
}

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
    theme: page.theme,
    accentColor: page.accentColor,
    logoUrl: page.logoUrl,
    faviconUrl: page.faviconUrl,
    homepageUrl: page.homepageUrl,
    supportUrl: page.supportUrl,
    locale: page.locale,
    timezone: page.timezone,
    historyDays: page.historyDays,
    showUptime: page.showUptime,
    showResponseTime: page.showResponseTime,
    allowIndexing: page.allowIndexing,
    subscribersEnabled: page.subscribersEnabled,
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
