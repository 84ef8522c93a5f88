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
