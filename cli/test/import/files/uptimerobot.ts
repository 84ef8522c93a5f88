// UptimeRobot: the API, and the CSV of the dashboard.
import { type RealFile, toJson } from './real-file.ts'

/** A monitor as version 3 of UptimeRobot's API answers. */
const watched = (id: number, friendlyName: string, type: string, more: object) => ({
  id,
  friendlyName,
  type,
  url: 'https://shop.example.com/',
  status: 'UP',
  interval: 300,
  timeout: 30,
  port: null,
  keywordType: null,
  keywordCaseType: null,
  keywordValue: null,
  gracePeriod: null,
  httpMethodType: 'GET',
  authType: 'NONE',
  httpUsername: null,
  httpPassword: null,
  customHttpHeaders: {},
  successHttpResponseCodes: ['2xx', '3xx'],
  postValueType: null,
  postValueData: null,
  checkSSLErrors: true,
  sslExpirationReminder: false,
  domainExpirationReminder: false,
  followRedirections: true,
  responseTimeThreshold: null,
  regionalData: null,
  groupId: 0,
  tags: [],
  assignedAlertContacts: [],
  maintenanceWindows: [],
  currentStateDuration: 4711,
  lastIncidentId: null,
  createDateTime: '2024-01-01T00:00:00.000Z',
  ...more,
})

const ROBOT = {
  monitors: {
    nextLink: null,
    data: [
      watched(1, 'Shop', 'HTTP', {
        customHttpHeaders: { 'X-Token': 'planted-header' },
        tags: [{ id: 1, name: 'prod', color: '#fff' }],
        maintenanceWindows: [{ id: 7, name: 'Sundays' }],
      }),
      watched(2, 'Error', 'KEYWORD', { keywordType: 'ALERT_EXISTS', keywordValue: 'Error' }),
      watched(3, 'Welcome', 'KEYWORD', {
        keywordType: 'ALERT_NOT_EXISTS',
        keywordCaseType: 'CaseInsensitive',
        keywordValue: 'welcome',
      }),
      watched(4, 'Router', 'PING', { url: '192.0.2.1', status: 'PAUSED' }),
      watched(5, 'Mail', 'PORT', { url: 'mail.example.com', port: 25 }),
      watched(6, 'Backup', 'HEARTBEAT', {
        url: 'https://heartbeat.uptimerobot.com/m6-abc',
        interval: 3600,
        gracePeriod: 300,
      }),
      watched(7, 'Names', 'DNS', {
        url: 'example.com',
        config: { dnsRecords: { A: ['192.0.2.7'] } },
      }),
      watched(8, 'Prices', 'API', { url: 'https://api.example.com/prices' }),
      watched(9, 'Game', 'UDP', { url: 'game.example.com', port: 27_015 }),
      watched(10, 'Old', 'HTTP', { authType: 'DIGEST', httpUsername: 'me' }),
    ],
  },
  maintenanceWindows: {
    nextLink: null,
    data: [
      {
        id: 7,
        name: 'Sundays',
        interval: 'weekly',
        date: null,
        time: '02:00:00',
        duration: 60,
        autoAddMonitors: false,
        days: [7],
        status: 'ACTIVE',
      },
    ],
  },
  psps: {
    nextLink: null,
    data: [
      {
        id: 9,
        friendlyName: 'Public',
        customDomain: null,
        isPasswordSet: false,
        monitorIds: [1, 2],
        monitorsCount: 2,
        status: 'ENABLED',
        urlKey: 'abc123XY',
        homepageLink: 'https://example.com/',
      },
    ],
  },
}

const ROBOT_CSV = `ID,Type,Status,Friendly Name,URL/IP,Keyword Type,Keyword Value,Port
776,HTTP(s),Up,Shop,https://shop.example.com/,,,
777,Keyword,Paused,Search,https://shop.example.com/search,Not Exists,Results,
778,Ping,Up,Router,192.0.2.1,,,
779,Port,Up,Mail,mail.example.com,,,25
`

export const UPTIMEROBOT: readonly RealFile[] = [
  {
    tool: 'uptimerobot',
    version: 'API version 3',
    name: 'uptimerobot.json',
    text: toJson(ROBOT),
    counts: { monitor: [4, 4, 2], 'maintenance window': [1, 0, 0], 'status page': [1, 0, 0] },
  },
  {
    tool: 'uptimerobot',
    version: 'CSV of the dashboard',
    name: 'uptimerobot.csv',
    text: ROBOT_CSV,
    counts: { monitor: [4, 0, 0] },
  },
]
