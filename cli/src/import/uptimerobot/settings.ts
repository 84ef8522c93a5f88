// What UptimeRobot answers without being asked.
import type { SettingRules } from '../common/settings.ts'

export const MONITOR_RULES: SettingRules = {
  own: new Set([
    'id',
    'userId',
    'apiKey',
    'psps',
    'currentStateDuration',
    'lastIncident',
    'lastIncidentId',
    'createDateTime',
    'lastDayUptimes',
    'lastCheckedAt',
    'sslBrand',
    'sslExpiryDateTime',
    'domainExpireDate',
    // Each window names its monitors too.
    'maintenanceWindows',
  ]),
  defaults: {
    authType: ['NONE', 'HTTP_BASIC'],
    checkSSLErrors: [true],
    followRedirections: [true],
    gracePeriod: [0, 300],
    httpMethodType: ['GET', 'HEAD'],
    keywordCaseType: [0, 'CaseSensitive'],
    postValueType: ['KEY_VALUE'],
    successHttpResponseCodes: [[], ['2xx'], ['2xx', '3xx']],
    timeout: [0, 30],
  },
  shown: new Set(['groupId', 'successHttpResponseCodes', 'keywordType', 'httpMethodType']),
}

export const CONFIG_RULES: SettingRules = {
  shown: new Set(['ipVersion', 'dnsRecords', 'sslExpirationPeriodDays', 'applicationErrorRetries']),
}

export const WINDOW_RULES: SettingRules = {
  own: new Set(['id', 'userId', 'created']),
  shown: new Set(['date', 'days', 'time']),
}

export const PAGE_RULES: SettingRules = {
  own: new Set(['id', 'monitorsCount']),
  shown: new Set(['customSettings', 'icon', 'logo', 'sort', 'tagIds']),
}
