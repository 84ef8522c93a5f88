// Services that keep an alarm open until it is closed.
import { type ChannelRow, HOOK, SECRET, SERVER, TEXT } from './row.ts'

export const PAGERS = {
  PAGERDUTY: {
    label: 'PagerDuty',
    origin: 'https://events.pagerduty.com',
    keepsAlarm: true,
    fields: {
      routingKey: {
        ...SECRET,
        format: { pattern: /^[A-Za-z0-9]{32}$/, message: 'must be 32 letters and digits' },
        label: 'Integration key',
        hint: 'From an Events API v2 integration.',
      },
    },
  },
  JIRA_SERVICE_MANAGEMENT: {
    label: 'Jira Service Management',
    origin: 'https://api.atlassian.com',
    keepsAlarm: true,
    fields: {
      apiKey: {
        ...SECRET,
        label: 'API key',
        hint: 'In Operations: Integrations → API → copy the key.',
      },
    },
  },
  OPSGENIE: {
    label: 'Opsgenie',
    origin: 'https://api.opsgenie.com',
    keepsAlarm: true,
    fields: {
      apiKey: {
        ...SECRET,
        label: 'API key',
        hint: 'Opsgenie shuts down on 5 April 2027. Use Jira Service Management for new contacts.',
      },
      region: { ...TEXT, options: ['US', 'EU'], label: 'Region' },
    },
  },
  INCIDENT_IO: {
    label: 'incident.io',
    origin: 'https://api.incident.io',
    keepsAlarm: true,
    fields: {
      sourceId: {
        ...TEXT,
        format: { pattern: /^[A-Za-z0-9]{8,64}$/, message: 'must be letters and digits' },
        label: 'Alert source ID',
        hint: 'The last part of the URL of an HTTP alert source.',
      },
      token: { ...SECRET, label: 'Token', hint: 'From the same alert source.' },
    },
  },
  ALERTMANAGER: {
    label: 'Alertmanager receiver',
    keepsAlarm: true,
    fields: {
      url: {
        ...HOOK,
        hint: 'Anything that takes the webhook of Prometheus Alertmanager, such as Grafana IRM or Rootly.',
      },
      token: { ...SECRET, optional: true, label: 'Access token', hint: 'Sent as a Bearer token.' },
    },
  },
  GITHUB_ISSUES: {
    label: 'GitHub issues',
    origin: 'https://api.github.com',
    keepsAlarm: true,
    fields: {
      repository: {
        ...TEXT,
        format: {
          pattern: /^[A-Za-z0-9-]{1,39}\/(?!\.{1,2}$)[\w.-]{1,100}$/,
          message: 'must be an owner and a repository, such as acme/shop',
        },
        label: 'Repository',
        hint: 'For example acme/shop.',
      },
      token: {
        ...SECRET,
        label: 'Access token',
        hint: 'A fine-grained token that may read and write issues of this repository.',
      },
    },
  },
  GITLAB_ISSUES: {
    label: 'GitLab issues',
    keepsAlarm: true,
    fields: {
      server: { ...SERVER, hint: 'For example https://gitlab.com.' },
      project: {
        ...TEXT,
        format: {
          pattern: /^[\w.-]{1,200}(?:\/[\w.-]{1,200}){0,20}$/,
          message: 'must be the path or the number of a project',
        },
        label: 'Project',
        hint: 'For example acme/shop, or its number.',
      },
      token: { ...SECRET, label: 'Access token', hint: 'A project access token with scope api.' },
    },
  },
} as const satisfies Record<string, ChannelRow>
