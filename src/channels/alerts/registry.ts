// The providers by contact channel, one line each.
import type { Origins } from '../../domain/alerts/channels.ts'
import { toSettings } from '../../domain/alerts/contact.ts'
import type { AlertChannel, AlertRequest, HttpChannel, OutgoingAlert } from './alert-channel.ts'
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

export const PROVIDERS: { readonly [C in HttpChannel]: AlertChannel<C> } = {
  SLACK: slack,
  DISCORD: discord,
  TEAMS: microsoftTeams,
  TELEGRAM: telegram,
  GOOGLE_CHAT: googleChat,
  PAGERDUTY: pagerDuty,
  OPSGENIE: opsgenie,
  NTFY: ntfy,
  PUSHOVER: pushover,
  WEBHOOK: webhook,
}

/** One alert as its provider's request. */
export function toRequest<C extends HttpChannel>(
  { channel, settings, alert, deliveryId, sentAt }: OutgoingAlert<C>,
  origins: Origins,
): AlertRequest {
  const stamp = { deliveryId, sentAt }
  return PROVIDERS[channel].request(alert, toSettings(channel, settings), origins, stamp)
}
