// The document of the extension API: openapi-ext.json, and its part of the reference.
import type { TSchema } from 'typebox'
import * as ownContacts from '../private/alert-contacts.ts'
import * as ownEscalation from '../private/alerts/escalation.ts'
import { RegionCheck } from '../private/check-screens.ts'
import * as ownEvidence from '../private/incidents/evidence.ts'
import * as ownRegions from '../private/monitors/region-settings.ts'
import * as ownReplay from '../private/monitors/replay.ts'
import * as ownSubscribers from '../private/page-subscribers.ts'
import * as ownTags from '../private/tags.ts'
import { PUBLIC_SCHEMAS } from '../public/named-schemas.ts'
import type { DocumentSubject } from '../public/openapi.ts'
import * as contacts from './alert-contacts.ts'
import * as figures from './figures.ts'
import * as monitors from './monitors.ts'
import * as organization from './organization.ts'
import * as aliases from './ping-aliases.ts'
import * as sources from './sources.ts'
import { SubscriberInput } from './subscribers.ts'
import * as tags from './tags.ts'

const NAMED: Readonly<Record<string, TSchema>> = {
  AlertContact: ownContacts.AlertContact,
  AlertContactDetail: ownContacts.AlertContactDetail,
  AlertContactWithSecret: ownContacts.AlertContactWithSecret,
  AlertContactInput: ownContacts.AlertContactInput,
  AlertContactPatch: ownContacts.AlertContactPatch,
  AlertContactList: contacts.AlertContactList,
  AlertTest: ownContacts.AlertTest,
  ContactAttachment: contacts.ContactAttachment,
  QuietHours: ownContacts.QuietHours,
  QuietHoursInput: ownContacts.QuietHoursInput,

  EscalationPolicy: ownEscalation.EscalationPolicy,
  EscalationPolicyInput: ownEscalation.EscalationPolicyInput,
  EscalationPolicyList: ownEscalation.EscalationPolicyList,
  EscalationStep: ownEscalation.EscalationStep,
  EscalationStepInput: ownEscalation.EscalationStepInput,

  RegionSetting: ownRegions.RegionSetting,
  RegionSettingInput: ownRegions.RegionSettingInput,
  ChosenRegions: ownRegions.ChosenRegions,

  EvidenceFile: ownEvidence.EvidenceFile,
  EvidenceKey: ownEvidence.EvidenceKey,
  MonitorReplay: ownReplay.MonitorReplay,
  ReplaySettings: ownReplay.ReplaySettings,
  ReplayTotals: ownReplay.ReplayTotals,
  ReplayedIncident: ownReplay.ReplayedIncident,
  ReplayedAlert: ownReplay.ReplayedAlert,

  MonitorDetail: monitors.MonitorDetail,
  MonitorDetailList: monitors.MonitorDetailList,
  MonitorDetailInput: monitors.MonitorDetailInput,
  Management: monitors.Management,
  CheckInput: monitors.CheckInput,
  MonitorCheckInput: monitors.MonitorCheckInput,
  CheckResult: monitors.CheckResult,

  MonitorUptime: figures.MonitorUptime,
  UptimeFigure: figures.UptimeFigure,
  ResponseTimeSeries: figures.ResponseTimeSeries,
  ResponseTimes: figures.ResponseTimes,
  MonitorCheck: figures.MonitorCheck,
  MonitorCheckList: figures.MonitorCheckList,
  RegionCheck,

  Overview: organization.Overview,
  MonitorCounts: organization.MonitorCounts,
  IncidentSummary: organization.IncidentSummary,
  OpenIncident: organization.OpenIncident,
  WindowSummary: organization.WindowSummary,
  WindowOccurrence: organization.WindowOccurrence,
  Usage: organization.Usage,
  Allowance: organization.Allowance,
  Region: organization.Region,
  RegionList: organization.RegionList,

  PageSubscriber: ownSubscribers.PageSubscriber,
  PageSubscriberList: ownSubscribers.PageSubscriberList,
  SubscriberInput,

  Tag: ownTags.ListedTag,
  TagInput: ownTags.TagInput,
  TagList: tags.TagList,
  MonitorTag: ownTags.MonitorTag,
  MonitorTags: tags.MonitorTags,

  Binding: sources.Binding,
  BindingInput: sources.BindingInput,
  LastChange: sources.LastChange,
  BindingDetail: sources.BindingDetail,
  SourceBindings: sources.SourceBindings,
  SourceBindingsInput: sources.SourceBindingsInput,
  SourceChange: sources.SourceChange,

  PingAlias: aliases.PingAlias,
  PingAliasInput: aliases.PingAliasInput,
  PingAliasAddress: aliases.PingAliasAddress,
}

export const EXT_API: DocumentSubject = {
  info: {
    title: 'Upvane extension API',
    version: 'v1',
    summary:
      'What keys can do beyond the public API: contacts, figures, tags, configuration as files.',
    description:
      'Below `/api/ext/v1`, with the keys of the public API and in the same way: authentication, rate limit (one window for both), errors, idempotency, lists. A read-only key may use every GET. Operations and fields may be added at any time. A change that could break you is announced 90 days ahead.',
  },
  tags: {
    'Alert contacts': 'Who is alerted, and how. Secrets are write-only and masked on read.',
    Escalation: 'Who is alerted if nobody acknowledges an outage in time.',
    'Monitor figures': 'Uptime, response times and single checks of a monitor.',
    'Evidence and replay': 'Signed files about incidents, and what other settings would have done.',
    'Monitors in bulk': 'All monitors with everything attached, in few requests.',
    Checks: 'Checks that change nothing.',
    Organization: 'How everything is right now, and what the plan allows.',
    Regions: 'Where checks run.',
    Subscribers: 'Who is notified by a status page.',
    Tags: 'Names for groups of monitors.',
    Sources: 'Which resources a configuration file manages.',
    'Ping aliases': 'Tokens of another tool that jobs continue to use.',
  },
  named: { ...PUBLIC_SCHEMAS, ...NAMED },
}
