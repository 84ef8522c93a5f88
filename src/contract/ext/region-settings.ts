import type { Static } from 'typebox'
import * as own from '../private/monitors/region-settings.ts'
import { forKeys } from './operation.ts'

const tag = 'Regions'
const ORGANIZATION_PATH = '/api/ext/v1/organization/regions'

const MONITOR_ID = 'mon_01m7e43y1ne6a8002504v5j15s'
const TAG_ID = 'tag_01m7e43y1ne6a8002504v5j15s'
const ORGANIZATION_ID = 'org_01m7e43y1ne6a8002504v5j15s'
const SETTING: Static<typeof own.RegionSetting> = {
  regions: ['eu-west', 'us-east'],
  mode: 'FIRST',
  downWhen: null,
  from: 'TAG',
  id: TAG_ID,
  updatedAt: '2026-11-14T22:39:00.000Z',
}
const OF_MONITOR = { ...SETTING, from: 'MONITOR' as const, id: MONITOR_ID }
const OF_ORGANIZATION = { ...SETTING, from: 'ORGANIZATION' as const, id: null }
const example = { regions: SETTING.regions, mode: SETTING.mode }

export const REGION_SETTING_OPERATIONS = [
  forKeys(own.getMonitorRegions, {
    tag,
    summary: 'Get the regions of a monitor',
    description:
      'What counts for it: its own setting, otherwise that of one of its tags, otherwise that of the organization. 404 if there is none: then its checks run in the home region, or where the target was last reached.',
    reply: { description: 'The setting, and whose it is.', example: SETTING },
  }),
  forKeys(own.putMonitorRegions, {
    tag,
    summary: 'Choose the regions of a monitor',
    description:
      'Its checks run in the first region of the list that has a live probe, and the next one confirms a failure. Until that region has reached the target once, a failure there counts only if a region that has reached it agrees. With mode EACH, every check runs in all of them at the same moment: the monitor is DOWN if `downWhen` of them fail, and DEGRADED if fewer do. CRON and DOMAIN monitors are checked as before.',
    example,
    reply: { description: 'The setting.', example: OF_MONITOR },
  }),
  forKeys(own.deleteMonitorRegions, {
    tag,
    summary: 'Remove the setting of a monitor',
    description: 'That of its tags or of the organization counts again.',
    reply: { description: 'The id of the monitor.', example: { data: { id: MONITOR_ID } } },
  }),
  forKeys(own.getTagRegions, {
    tag,
    summary: 'Get the regions of a tag',
    reply: { description: 'The setting.', example: SETTING },
  }),
  forKeys(own.putTagRegions, {
    tag,
    summary: 'Choose the regions of a tag',
    description:
      'For every monitor that has the tag and no setting of its own. Two tags of one monitor may not have different regions.',
    example,
    reply: { description: 'The setting.', example: SETTING },
  }),
  forKeys(own.deleteTagRegions, {
    tag,
    summary: 'Remove the setting of a tag',
    reply: { description: 'The id of the tag.', example: { data: { id: TAG_ID } } },
  }),
  forKeys(own.getOrganizationRegions, {
    path: ORGANIZATION_PATH,
    tag,
    summary: 'Get the regions of the organization',
    reply: { description: 'The setting.', example: OF_ORGANIZATION },
  }),
  forKeys(own.putOrganizationRegions, {
    path: ORGANIZATION_PATH,
    tag,
    summary: 'Choose the regions of the organization',
    description: 'For every monitor without a setting of its own or of a tag.',
    example,
    reply: { description: 'The setting.', example: OF_ORGANIZATION },
  }),
  forKeys(own.deleteOrganizationRegions, {
    path: ORGANIZATION_PATH,
    tag,
    summary: 'Remove the setting of the organization',
    description: 'Checks run in the home region again.',
    reply: {
      description: 'The id of the organization.',
      example: { data: { id: ORGANIZATION_ID } },
    },
  }),
] as const
