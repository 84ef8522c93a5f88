// The providers by contact channel.
import type { Alert } from '../../domain/alerts/alert.ts'
import type { ContactChannel } from '../../domain/alerts/channels.ts'
import type { ContactSettings } from '../../domain/alerts/contact.ts'
import type { Posted } from '../../outbound/webhook-client.ts'
import type { AlertRequest, Origins, ResponseJudgement, Stamp } from './alert-channel.ts'
import { discord } from './discord.ts'
import { googleChat } from './google-chat.ts'
import { microsoftTeams } from './microsoft-teams.ts'
import { ntfy } from './ntfy.ts'
import { opsgenie } from './opsgenie.ts'
import { pagerDuty } from './pagerduty.ts'
import { pushover } from './pushover.ts'
import { slack } from './slack.ts'
import { telegram } from './telegram.ts'
import { webhook } from './webhook.ts'

export type HttpChannel = Exclude<ContactChannel, 'EMAIL'>

/** A provider that takes settings as stored: required ones were validated when they were saved. */
type Provider = {
  request(alert: Alert, settings: ContactSettings, origins: Origins, stamp: Stamp): AlertRequest
  judge(posted: Posted): ResponseJudgement
}

const text = (settings: ContactSettings, name: string): string => settings[name] ?? ''
const byUrl = (settings: ContactSettings) => ({ url: text(settings, 'url') })

export const PROVIDERS: Record<HttpChannel, Provider> = {
  SLACK: { ...slack, request: (alert, own, ...to) => slack.request(alert, byUrl(own), ...to) },
  DISCORD: {
    ...discord,
    request: (alert, own, ...to) => discord.request(alert, byUrl(own), ...to),
  },
  TEAMS: {
    ...microsoftTeams,
    request: (alert, own, ...to) => microsoftTeams.request(alert, byUrl(own), ...to),
  },
  GOOGLE_CHAT: {
    ...googleChat,
    request: (alert, own, ...to) => googleChat.request(alert, byUrl(own), ...to),
  },
  WEBHOOK: {
    ...webhook,
    request: (alert, own, ...to) =>
      webhook.request(alert, { ...byUrl(own), secret: own['secret'] || null }, ...to),
  },
  TELEGRAM: {
    ...telegram,
    request: (alert, own, ...to) =>
      telegram.request(
        alert,
        { botToken: text(own, 'botToken'), chatId: text(own, 'chatId') },
        ...to,
      ),
  },
  PAGERDUTY: {
    ...pagerDuty,
    request: (alert, own, ...to) =>
      pagerDuty.request(alert, { routingKey: text(own, 'routingKey') }, ...to),
  },
  OPSGENIE: {
    ...opsgenie,
    request: (alert, own, ...to) =>
      opsgenie.request(
        alert,
        { apiKey: text(own, 'apiKey'), region: own['region'] === 'EU' ? 'EU' : 'US' },
        ...to,
      ),
  },
  NTFY: {
    ...ntfy,
    request: (alert, own, ...to) =>
      ntfy.request(
        alert,
        { server: text(own, 'server'), topic: text(own, 'topic'), token: own['token'] || null },
        ...to,
      ),
  },
  PUSHOVER: {
    ...pushover,
    request: (alert, own, ...to) =>
      pushover.request(
        alert,
        { appToken: text(own, 'appToken'), userKey: text(own, 'userKey') },
        ...to,
      ),
  },
}
