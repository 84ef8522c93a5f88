// What Uptime Kuma writes without being asked, in the tables of versions 1 and 2.
import type { SettingRules } from '../common/settings.ts'

const NO_PLACE = 'Upvane has no such setting.'

export const MONITOR_RULES: SettingRules = {
  own: new Set([
    'id',
    'user_id',
    'created_date',
    'weight',
    'path',
    'pathName',
    'childrenIDs',
    'force_inactive',
    'screenshot',
    'maintenance',
    'include_sensitive_data',
    'human_readable_interval',
    'dns_last_result',
    // Read with the lists of notifications and tags.
    'notificationIDList',
    'tags',
    // Ignored by Uptime Kuma itself, unless the monitor is of their type.
    'timeout',
    'retry_interval',
    'push_token',
  ]),
  defaults: {
    accepted_statuscodes: [['200-299']],
    accepted_statuscodes_json: ['["200-299"]'],
    conditions: ['[]'],
    dns_resolve_server: ['1.1.1.1'],
    dns_resolve_type: ['A'],
    expiry_notification: [true, false],
    gamedig_given_port_only: [true],
    http_body_encoding: ['json'],
    json_path: ['$'],
    json_path_operator: ['=='],
    kafka_producer_sasl_options: ['{"mechanism":"None"}'],
    location: ['world'],
    maxredirects: [10],
    method: ['GET'],
    mqtt_check_type: ['keyword'],
    ntp_root_dispersion_threshold: [500],
    ntp_stratum_threshold: [5],
    ntp_time_offset_threshold: [1000],
    oauth_auth_method: ['client_secret_basic'],
    packet_size: [56],
    ping_count: [1],
    ping_numeric: [true],
    ping_per_request_timeout: [2],
    port: [53],
    response_max_length: [1024],
    save_error_response: [true],
    snmp_version: ['1', '2c'],
    url: ['https://'],
  },
}

export const PAGE_RULES: SettingRules = {
  own: new Set(['id', 'created_date', 'modified_date']),
  defaults: { auto_refresh_interval: [300], show_powered_by: [true] },
  shown: new Set(['analytics_type', 'custom_css', 'footer_text', 'rss_title']),
  whys: {
    analytics_id: NO_PLACE,
    analytics_script_url: NO_PLACE,
    analytics_type: NO_PLACE,
    custom_css: NO_PLACE,
    footer_text: NO_PLACE,
    google_analytics_tag_id: NO_PLACE,
    show_certificate_expiry: NO_PLACE,
    show_tags: NO_PLACE,
  },
}

export const WINDOW_RULES: SettingRules = {
  own: new Set([
    'id',
    'user_id',
    'last_start_date',
    // Uptime Kuma makes them from the other columns.
    'cron',
    'duration',
  ]),
  defaults: { interval_day: [1], weekdays: ['[]'], days_of_month: ['[]'] },
  shown: new Set([
    'start_date',
    'end_date',
    'start_time',
    'end_time',
    'weekdays',
    'days_of_month',
    'interval_day',
  ]),
}
