import type { BarState } from '../../domain/monitors/day-bars.ts'
import type { OverrideKind } from '../../domain/status-pages/ledger.ts'
import type { WindowNotice } from '../../domain/status-pages/notice.ts'
import type { ComponentState } from '../../domain/status-pages/page-state.ts'
import type { StatusIncidentStatus } from '../../domain/status-pages/status-incident.ts'
import type { HookKind } from '../../domain/status-pages/subscriber.ts'
import type { DurationUnit } from '../../domain/values/duration.ts'

/** All text of status pages and of the emails to their subscribers, in one language. */
export type Messages = {
  page: PageMessages
  subscribe: SubscribeMessages
  email: EmailMessages
}

export type PageMessages = {
  states: Readonly<Record<ComponentState, string>>
  bars: Readonly<Record<BarState, string>>
  phases: Readonly<Record<StatusIncidentStatus, string>>
  /** Of an incident with the impact NONE. The other impacts are called like the states they mean. */
  noImpact: string
  units: Readonly<Record<DurationUnit, string>>
  /** Between the parts of a duration, and between a number and its unit. */
  gap: string
  listGap: string
  pages: string
  skip: string
  status: string
  history: string
  /** Whose days the history shows, such as `Europe/Berlin`. */
  daysIn: (zone: string) => string
  ledger: LedgerMessages
  subscribe: string
  support: string
  /** Browser tab title. */
  title: (name: string) => string
  allOperational: string
  oneDegraded: (name: string) => string
  oneDown: (name: string) => string
  someDegraded: string
  someDown: string
  allDown: string
  maintenance: string
  unknown: string
  unknownText: string
  /** All but a few without data. */
  operationalOf: (some: number, all: number) => string
  lastIncident: (when: string) => string
  affectedOf: (some: number, all: number) => string
  openIncidents: (count: number) => string
  since: (time: string, duration: string) => string
  timeLeft: (duration: string) => string
  affected: string
  /** Of components that are not part of the incident. */
  alsoAffected: string
  viewIncident: string
  viewMaintenance: string
  scheduled: (name: string) => string
  underWay: (name: string) => string
  scheduledMaintenance: string
  completed: string
  components: string
  uptime: (percent: string) => string
  /** Instead of the uptime while most of its days have no data. */
  measuredSince: (date: string) => string
  days: (count: number) => string
  daysAgo: (count: number) => string
  today: string
  pastIncidents: string
  allIncidents: string
  quietToday: string
  quietOtherwise: string
  quiet: string
  ongoingFor: (duration: string) => string
  soFar: (duration: string) => string
  currentStatus: string
  started: string
  starts: string
  ends: string
  duration: string
  updates: string
  getUpdates: string
  earlierLeftOut: string
  nextUpdateBy: (time: string) => string
  postMortem: string
  published: (when: string) => string
  updated: string
  statusPageBy: string
  password: string
  passwordTitle: string
  passwordText: string
  open: string
  wrongPassword: string
  tooManyAttempts: string
  notFound: string
  notFoundText: string
  away: string
  awayText: string
}

/** When outages were detected and published. Most are followed by a time. */
type LedgerMessages = {
  title: string
  about: string
  since: string
  none: string
  detected: string
  published: string
  after: (duration: string) => string
  notPublished: string
  ended: string
  ongoing: string
  cutShort: string
  overrides: Readonly<Record<OverrideKind, string>>
}

/** The pages on which a visitor subscribes. `name` is the page's. */
export type SubscribeMessages = {
  title: (name: string) => string
  text: string
  address: string
  addressRefused: string
  components: string
  allUpdates: string
  someComponents: string
  noneChosen: string
  subscribe: string
  sentTitle: string
  sentText: string
  tooMany: string
  confirmTitle: string
  confirmText: (name: string) => string
  confirm: string
  subscribedTitle: string
  subscribedText: (name: string) => string
  deadTitle: string
  deadText: string
  manageTitle: string
  manageText: (name: string) => string
  save: string
  saved: string
  unsubscribe: string
  unsubscribeTitle: string
  unsubscribeText: (name: string) => string
  goneTitle: string
  goneText: (name: string) => string
  toPage: string
  hooks: Readonly<Record<HookKind, HookMessages>>
  /** Instead of those about email, for a subscription by Slack or webhook. */
  hookConfirmText: (name: string) => string
  hookSubscribedText: (name: string) => string
  hookUnsubscribeText: (name: string) => string
  hookGoneText: (name: string) => string
}

/** The form for a URL, and what it answers. */
type HookMessages = {
  title: string
  address: string
  refused: string
  sentTitle: string
  sentText: string
}

/** `name` is the page's. Components and their states are called as on the page. */
export type EmailMessages = {
  phases: Readonly<Record<StatusIncidentStatus, string>>
  window: Readonly<Record<WindowNotice['what'], string>>
  postMortem: string
  affected: string
  started: string
  resolved: string
  lasted: string
  openIncident: string
  openPage: string
  because: (name: string) => string
  choose: string
  unsubscribe: string
  slackConfirm: (name: string) => string
  confirm: PromptMessages
  known: PromptMessages
}

/** An email requested through the form. */
type PromptMessages = {
  heading: string
  text: (name: string) => string
  button: string
  otherwise: string
}
