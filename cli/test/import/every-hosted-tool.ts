// The hosted tools in the list of every-setting.ts.
import {
  CHECK,
  COMPONENT,
  INCIDENT,
  INCIDENT_UPDATE,
  STACK_HEARTBEAT,
  STACK_MONITOR,
  STACK_PAGE,
  STACK_RESOURCE,
  STATUSPAGE,
} from './every-hosted-setting.ts'
import { ROBOT_CONFIG, ROBOT_MONITOR, ROBOT_PAGE, ROBOT_WINDOW } from './every-robot-setting.ts'
import { type EverySetting, mapJson } from './map-json.ts'
import { mapText } from './map-text.ts'

const robot = mapJson('uptimerobot')
const betterStack = mapJson('betterstack')
const statuspage = mapJson('statuspage')
const healthchecks = mapJson('healthchecks')

const STACK_ENTRY = {
  url: 'https://a.example.com/',
  monitor_type: 'status',
  pronounceable_name: 'A',
}
const stack = (type: string, attributes: object, id = '1') => ({ id, type, attributes })

export const HOSTED: readonly EverySetting[] = [
  {
    what: 'a monitor of UptimeRobot',
    row: ROBOT_MONITOR,
    map: (row) => robot({ monitors: [row] }),
    own: [
      'id',
      'userId',
      'apiKey',
      'psps',
      'currentStateDuration',
      'lastIncident',
      'lastIncidentId',
      'createDateTime',
      'lastDayUptimes',
      'sslBrand',
      'sslExpiryDateTime',
      'domainExpireDate',
      'maintenanceWindows',
    ],
  },
  {
    what: 'the config of a monitor of UptimeRobot',
    row: ROBOT_CONFIG,
    map: (config) => robot({ monitors: [{ ...ROBOT_MONITOR, config }] }),
    own: [],
  },
  {
    what: 'a maintenance window of UptimeRobot',
    row: ROBOT_WINDOW,
    map: (row) => robot({ monitors: [ROBOT_MONITOR], maintenanceWindows: [row] }),
    own: ['userId', 'created', 'status'],
  },
  {
    what: 'a page of UptimeRobot',
    row: ROBOT_PAGE,
    map: (row) => robot({ monitors: [ROBOT_MONITOR], psps: [row] }),
    own: ['monitorsCount'],
  },
  {
    what: 'a monitor of Better Stack',
    row: STACK_MONITOR,
    map: (row) => betterStack({ data: [stack('monitor', row)] }),
    own: ['created_at', 'updated_at', 'last_checked_at', 'team_name', 'status'],
  },
  {
    what: 'a heartbeat of Better Stack',
    row: STACK_HEARTBEAT,
    map: (row) => betterStack({ data: [stack('heartbeat', row)] }),
    own: ['created_at', 'updated_at', 'team_name', 'status', 'sort_index', 'server_timezone'],
  },
  {
    what: 'a page of Better Stack',
    row: STACK_PAGE,
    map: (row) => betterStack({ data: [stack('status_page', row)] }),
    own: ['created_at', 'updated_at', 'aggregate_state'],
  },
  {
    what: 'a resource of a page of Better Stack',
    row: STACK_RESOURCE,
    map: (row) =>
      betterStack({
        data: [
          stack('monitor', STACK_ENTRY),
          stack('status_page', { company_name: 'A' }),
          stack('status_page_section', { name: 'Web' }),
          stack('status_page_resource', row),
        ],
      }),
    // One resource is in the same place wherever it is.
    own: ['availability', 'status', 'status_history', 'position', 'fixed_position'],
  },
  {
    what: 'a page of Statuspage',
    row: STATUSPAGE,
    map: (page) => statuspage({ page, components: [] }),
    own: ['created_at', 'updated_at', 'activity_score', 'city', 'state', 'country'],
  },
  {
    what: 'a component of Statuspage',
    row: COMPONENT,
    map: (row) => statuspage({ page: { name: 'A' }, components: [row] }),
    own: [
      'page_id',
      'created_at',
      'updated_at',
      'automation_email',
      'group',
      'group_id',
      'position',
    ],
  },
  {
    what: 'an incident of Statuspage',
    row: INCIDENT,
    map: (row) => statuspage({ page: { name: 'A' }, components: [], incidents: [row] }),
    own: [
      'page_id',
      'created_at',
      'updated_at',
      'monitoring_at',
      'shortlink',
      'impact_override',
      // It is in the list of updates too.
      'postmortem_body',
      'postmortem_ignored',
    ],
  },
  {
    what: 'an update of an incident of Statuspage',
    row: INCIDENT_UPDATE,
    map: (row) =>
      statuspage({
        page: { name: 'A' },
        components: [],
        incidents: [{ ...INCIDENT, incident_updates: [row] }],
      }),
    own: [
      'id',
      'incident_id',
      'created_at',
      'updated_at',
      'deliver_notifications',
      'wants_twitter_update',
      'tweet_id',
    ],
  },
  {
    what: 'a check of Healthchecks',
    row: CHECK,
    map: (row) => healthchecks({ checks: [row] }),
    own: [
      'slug',
      'unique_key',
      // Also in the URL.
      'uuid',
      'n_pings',
      'started',
      'last_ping',
      'last_duration',
      'next_ping',
      'update_url',
      'pause_url',
      'resume_url',
      'badge_url',
      // The schedule wins.
      'timeout',
    ],
  },
  {
    what: 'a row of CSV',
    row: {
      name: 'Shop',
      type: 'KEYWORD',
      url: 'https://a.example.com/',
      keyword: 'Welcome',
      keywordmatch: 'NOT_EXISTS',
      intervalseconds: '120',
      timeoutseconds: '20',
      method: 'POST',
      tags: 'web',
      state: 'PAUSED',
      sslexpirythresholddays: '20',
      requestheaders: 'X-Token: planted',
      owner: 'planted',
    },
    map: (row) =>
      mapText('csv', `${Object.keys(row).join(',')}\n${Object.values(row).join(',')}\n`),
    own: ['name'],
  },
]
