// What Statuspage answers without being asked.
import type { SettingRules } from '../common/settings.ts'

const NO_PLACE = 'Upvane has no such setting.'

export const PAGE_RULES: SettingRules = {
  own: new Set([
    'id',
    'created_at',
    'updated_at',
    'activity_score',
    'page_view_count',
    'city',
    'state',
    'country',
  ]),
  defaults: {
    allow_email_subscribers: [true],
    allow_incident_subscribers: [true],
    allow_page_subscribers: [true],
    allow_rss_atom_feeds: [true],
    allow_sms_subscribers: [true],
    allow_webhook_subscribers: [true],
    branding: ['basic', 'premium'],
    viewers_must_be_team_members: [false],
  },
  shown: new Set(['branding', 'headline', 'twitter_username']),
  whys: { css: NO_PLACE, ip_restrictions: NO_PLACE, twitter_username: NO_PLACE },
}

export const COMPONENT_RULES: SettingRules = {
  own: new Set([
    'id',
    'page_id',
    'created_at',
    'updated_at',
    'automation_email',
    'group',
    // Read with the sections.
    'group_id',
    'position',
  ]),
  defaults: { showcase: [true] },
  shown: new Set(['start_date']),
  whys: { only_show_if_degraded: NO_PLACE, start_date: NO_PLACE },
}

/** Also what an incident without updates is made of: its components are those of its updates. */
export const INCIDENT_RULES: SettingRules = {
  own: new Set([
    'id',
    'page_id',
    'created_at',
    'updated_at',
    'monitoring_at',
    'shortlink',
    'status',
    'scheduled_for',
    'scheduled_until',
    'scheduled_remind_prior',
    'scheduled_reminded_at',
    'scheduled_auto_in_progress',
    'scheduled_auto_completed',
    'scheduled_auto_transition',
    'auto_transition_to_maintenance_state',
    'auto_transition_to_operational_state',
    'auto_transition_deliver_notifications_at_start',
    'auto_transition_deliver_notifications_at_end',
    'impact_override',
    'postmortem_body_last_updated_at',
    'postmortem_ignored',
    'postmortem_notified_subscribers',
    'postmortem_notified_twitter',
    'postmortem_published_at',
    'reminder_intervals',
  ]),
  whys: { metadata: NO_PLACE, backfilled: NO_PLACE },
}

export const UPDATE_RULES: SettingRules = {
  own: new Set([
    'id',
    'incident_id',
    'created_at',
    'updated_at',
    'display_at',
    'deliver_notifications',
    'wants_twitter_update',
    'twitter_updated_at',
    'tweet_id',
  ]),
  shown: new Set(['custom_tweet']),
  whys: { custom_tweet: NO_PLACE },
}
