// Made from openapi.json by sdk/make-sdk.ts. Edit the contract and make it again, not this file.
import type { Call } from '../client/call.ts'
import type { List } from '../client/list.ts'
import type { CallOptions, WriteOptions } from '../client/options.ts'
import type { Deleted } from './shared.ts'

export type ComponentState =
  | 'OPERATIONAL'
  | 'DEGRADED'
  | 'PARTIAL_OUTAGE'
  | 'MAJOR_OUTAGE'
  | 'MAINTENANCE'
  | 'UNKNOWN'

export type CustomDomainStatus = 'NONE' | 'PENDING' | 'ACTIVE' | 'FAILED'

export type StatusPage = {
  /** Id of the status page. */
  id: string
  /** Name of the page. */
  name: string
  /** Last part of the public address. Unique in the whole service. */
  slug: string
  /** Public address; the custom domain once it is ACTIVE. */
  url: string
  /** Text below the name of the page. */
  description: string | null
  /** Whether the page is public. If not, its address returns 404. */
  published: boolean
  /** Hostname of your own for the page. */
  customDomain: string | null
  /** Progress of the custom domain. NONE without one. */
  customDomainStatus: CustomDomainStatus
  /** Whether visitors need a password. */
  passwordProtected: boolean
  /** Light, dark, or what the visitor prefers. */
  theme: StatusPageTheme
  /** Color of links, such as `#5443d2`. */
  accentColor: string | null
  /** Address of the logo. */
  logoUrl: string | null
  /** Address of the icon in the browser tab. */
  faviconUrl: string | null
  /** Where the logo links to. */
  homepageUrl: string | null
  /** Where visitors get help. */
  supportUrl: string | null
  /** Language of the page. */
  locale: string
  /** IANA time zone whose days the history shows, such as `Europe/Berlin`. */
  timezone: string
  /** Days of history on the page. */
  historyDays: number
  /** Whether uptime is shown in percent. */
  showUptime: boolean
  /** Whether response times are shown. */
  showResponseTime: boolean
  /** Whether search engines may list the page. */
  allowIndexing: boolean
  /** Whether visitors can subscribe by email. */
  subscribersEnabled: boolean
  /** Groups of components, in the order of the page. */
  sections: StatusPageSection[]
  /** State of the whole page, from its components. */
  state: ComponentState
  /** When it was created. */
  createdAt: string
  /** When it last changed. */
  updatedAt: string
}

export type StatusPageComponent = {
  /** Id of the component. */
  id: string
  /** Name visitors see. */
  name: string
  /** Text visitors see beside the name. */
  description: string | null
  /** Monitor whose state the component shows. */
  monitorId: string | null
  /** What visitors see now. */
  state: ComponentState
}

export type StatusPageComponentInput = {
  /** Keeps a component that exists. Without it a new one is created. */
  id?: string
  /** Name visitors see. Null or left out: the name of the monitor. Left out beside an `id`: it stays. */
  name?: string | null
  /** Text visitors see beside the name. Left out beside an `id`: it stays. */
  description?: string | null
  /** Monitor whose state the component shows. Left out beside an `id`: it stays. */
  monitorId?: string | null
  /** State of a component without a monitor; OPERATIONAL if none was ever set. Left out beside an `id`: it stays. */
  manualState?: ComponentState
}

export type StatusPageInput = {
  /** Name of the page. */
  name: string
  /** Last part of the public address. Unique in the whole service. Left out: derived from the name. */
  slug?: string
  /** Text below the name of the page. */
  description?: string | null
  /** Whether the page is public. If not, its address returns 404. Default: `true`. */
  published?: boolean
  /** Hostname of your own for the page. */
  customDomain?: string | null
  /** Password of the page; null removes it. It cannot be read back. */
  password?: string | null
  /** Light, dark, or what the visitor prefers. Default: `SYSTEM`. */
  theme?: StatusPageTheme
  /** Color of links, such as `#5443d2`. */
  accentColor?: string | null
  /** Address of the logo. */
  logoUrl?: string | null
  /** Address of the icon in the browser tab. */
  faviconUrl?: string | null
  /** Where the logo links to. */
  homepageUrl?: string | null
  /** Where visitors get help. */
  supportUrl?: string | null
  /** Language of the page. Default: `en`. */
  locale?: StatusPageLocale
  /** IANA time zone whose days the history shows, such as `Europe/Berlin`. Default: `UTC`. */
  timezone?: string
  /** Days of history on the page. Default: `90`. */
  historyDays?: number
  /** Whether uptime is shown in percent. Default: `true`. */
  showUptime?: boolean
  /** Whether response times are shown. Default: `false`. */
  showResponseTime?: boolean
  /** Whether search engines may list the page. Default: `true`. */
  allowIndexing?: boolean
  /** Whether visitors can subscribe by email. Default: `true`. */
  subscribersEnabled?: boolean
  /** Groups of components, in the order of the page. Written as a whole: what is missing is removed. */
  sections?: StatusPageSectionInput[]
  /** Short form: one unnamed section with these monitors, in order. Not with `sections`. */
  monitorIds?: string[]
}

export type StatusPageLocale = 'en' | 'de' | 'fr' | 'es' | 'ja'

export type StatusPagePatch = Partial<StatusPageInput>

export type StatusPageSection = {
  /** Id of the section. */
  id: string
  /** Heading of the section. Null shows none. */
  name: string | null
  /** Whether the section starts collapsed. */
  collapsed: boolean
  /** Its components, in order. */
  components: StatusPageComponent[]
}

export type StatusPageSectionInput = {
  /** Keeps a section that exists. Without it a new one is created. */
  id?: string
  /** Heading of the section. Null shows none. Left out beside an `id`: it stays. */
  name?: string | null
  /** Whether the section starts collapsed. Left out beside an `id`: it stays. */
  collapsed?: boolean
  /** Its components, in order. At most 200 on a page. Left out beside an `id`: it stays. */
  components?: StatusPageComponentInput[]
}

export type StatusPageTheme = 'SYSTEM' | 'LIGHT' | 'DARK'

export type StatusPagesQuery = {
  /** Only pages with this text in name or slug, in any case. */
  q?: string
}

export type StatusPages = {
  /** List status pages. */
  list(query?: StatusPagesQuery, options?: CallOptions): List<StatusPage>
  /** Create a status page. */
  create(input: StatusPageInput, options?: WriteOptions): Call<StatusPage>
  /** Get a status page. */
  get(id: string, options?: CallOptions): Call<StatusPage>
  /** Update a status page. */
  update(id: string, changes: StatusPagePatch, options?: WriteOptions): Call<StatusPage>
  /** Delete a status page. */
  delete(id: string, options?: WriteOptions): Call<Deleted>
}
