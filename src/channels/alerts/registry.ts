// The providers by contact channel, one line each.
import type { ContactChannel, Origins } from '../../domain/alerts/channels.ts'
import { toSettings } from '../../domain/alerts/contact.ts'
import type { AlertChannel, AlertRequest, HttpChannel, OutgoingAlert } from './alert-channel.ts'
import { alertmanager } from './alertmanager.ts'
import { apprise } from './apprise.ts'
import { customWebhook } from './custom-webhook.ts'
import { discord } from './discord.ts'
import { googleChat } from './google-chat.ts'
import { gotify } from './gotify.ts'
import { incidentIo } from './incident-io.ts'
import { githubIssues, gitlabIssues } from './issues.ts'
import { matrix } from './matrix.ts'
import { mattermost, rocketChat } from './mattermost.ts'
import { microsoftTeams } from './microsoft-teams.ts'
import { ntfy } from './ntfy.ts'
import { jiraServiceManagement, opsgenie } from './opsgenie.ts'
import { pagerDuty } from './pagerduty.ts'
import { pushover } from './pushover.ts'
import { signal } from './signal.ts'
import { slack } from './slack.ts'
import { telegram } from './telegram.ts'
import { twilio } from './twilio.ts'
import { webhook } from './webhook.ts'

export const PROVIDERS: { readonly [C in HttpChannel]: AlertChannel<C> } = {
  SLACK: slack,
  DISCORD: discord,
  TEAMS: microsoftTeams,
  TELEGRAM: telegram,
  GOOGLE_CHAT: googleChat,
  MATTERMOST: mattermost,
  ROCKET_CHAT: rocketChat,
  MATRIX: matrix,
  SIGNAL: signal,
  PAGERDUTY: pagerDuty,
  JIRA_SERVICE_MANAGEMENT: jiraServiceManagement,
  OPSGENIE: opsgenie,
  INCIDENT_IO: incidentIo,
  ALERTMANAGER: alertmanager,
  GITHUB_ISSUES: githubIssues,
  GITLAB_ISSUES: gitlabIssues,
  NTFY: ntfy,
  GOTIFY: gotify,
  PUSHOVER: pushover,
  TWILIO: twilio,
  APPRISE: apprise,
  WEBHOOK: webhook,
  CUSTOM_WEBHOOK: customWebhook,
}

/** Channels whose later messages refer to the first of their thread. */
export const REFERRING: ReadonlySet<ContactChannel> = new Set(
  Object.entries(PROVIDERS).flatMap(([channel, provider]) =>
    // Safe because these are the keys of the table.
    'referenceIn' in provider ? [channel as HttpChannel] : [],
  ),
)

/** One alert as its provider's request. */
export function toRequest<C extends HttpChannel>(
  { channel, settings, alert, deliveryId, sentAt, reference = null }: OutgoingAlert<C>,
  origins: Origins,
): AlertRequest {
  const stamp = { deliveryId, sentAt, reference }
  return PROVIDERS[channel].request(alert, toSettings(channel, settings), origins, stamp)
}

/** What is sent once the first request was accepted. */
export function toFollowUp<C extends HttpChannel>(
  { channel, settings, alert, deliveryId, sentAt, reference = null }: OutgoingAlert<C>,
  origins: Origins,
): AlertRequest | undefined {
  const provider: AlertChannel<C> = PROVIDERS[channel]
  const stamp = { deliveryId, sentAt, reference }
  return provider.followUp?.(alert, toSettings(channel, settings), origins, stamp)
}
