// Which documents are pages of the guides, in which order, and what each is for.

export type PageEntry = {
  /** Below /docs, and the name of its file in the static site. */
  path: string
  /** From the root of the project. None: the page is made by the program. */
  file?: string
  title: string
  summary: string
}
export type Group = { title: string; pages: readonly PageEntry[] }

export const HOME = 'guides'
export const SEARCH = 'search'
export const REFERENCE = 'reference'
export const DECISIONS = 'decisions'

const guide = (path: string, title: string, summary: string): PageEntry => ({
  path,
  file: `docs/${path}.md`,
  title,
  summary,
})
const note = (path: string, file: string, title: string, summary: string): PageEntry => ({
  path,
  file,
  title,
  summary,
})

// biome-ignore format: a table of contents is read line by line
export const GROUPS: readonly Group[] = [
  {
    title: 'Get started',
    pages: [
      guide('dashboard', 'The dashboard', 'Find your way around: monitors, incidents, maintenance, bulk edits, keyboard, CSV.'),
      guide('operating/container', 'Install: one container', 'Run Upvane with its own PostgreSQL by one docker run, with one volume.'),
      guide('operating/install', 'Install: a server', 'On Debian with systemd, or with Compose; then TLS, mail and secrets.'),
      guide('moving', 'Move from another tool', 'Import from Uptime Kuma, UptimeRobot, Better Stack, Statuspage, Healthchecks and Gatus.'),
      guide('comparison', 'Compared with other tools', 'What others do better, what Upvane does better, and how to check both.'),
    ],
  },
  {
    title: 'Alerts and status pages',
    pages: [
      guide('alerts', 'Alerts', 'Who is notified by email, Slack, SMS and others, when, and how to escalate.'),
      guide('heartbeats', 'Cron jobs and heartbeats', 'Be alerted when a backup or a scheduled job does not run or fails.'),
      guide('status-pages', 'Status pages', 'Publish the state of your services; subscribers, incidents, own domain, badges.'),
      guide('metrics', 'Prometheus, Grafana, Home Assistant', 'Scrape the state of your monitors with an API key.'),
      guide('mcp', 'Assistants (MCP)', 'Let an assistant answer what is down.'),
      guide('replay', 'Replay', 'See what other thresholds would have done in the last 30 days.'),
      guide('evidence', 'Evidence files', 'Hand over an incident as one signed file that anyone can check.'),
    ],
  },
  {
    title: 'API and automation',
    pages: [
      guide('api', 'Guide to the API', 'Create an API key and a first monitor; errors, rate limit, idempotency, lists.'),
      { path: REFERENCE, title: 'API reference', summary: 'Every operation, object, event and error of the API.' },
      guide('api-ext', 'Extension API', 'What else keys can do: tags, regions, alert contacts, uptime, checks on demand.'),
      guide('webhooks', 'Webhooks', 'Receive signed events: verify, respond, retries; receivers in seven languages.'),
      guide('sdk', 'SDK for TypeScript', 'The client with types, retries and verified webhooks.'),
      guide('cli', 'Command line: upv', 'What is down, acknowledge, pause, maintenance, and releases that are checked.'),
      guide('as-code', 'Configuration as code', 'Keep monitors in upvane.yaml: plan, apply, pipelines.'),
      guide('contact-settings', 'Settings of alert contacts', 'What the settings of each alert channel hold.'),
    ],
  },
  {
    title: 'Run it',
    pages: [
      guide('operating', 'Overview for operators', 'Which page answers what, and what to do on the first day.'),
      guide('operating/configuration', 'Settings and commands', 'Every environment variable and every command of upvane.'),
      guide('operating/mail', 'Mail', 'The SMTP relay, bounces and limits.'),
      guide('operating/people', 'People and single sign-on', 'Roles, invitations, lost passwords, two-factor authentication, OpenID Connect.'),
      guide('operating/regions', 'Regions and probes', 'Check from other places, and from inside private networks.'),
      guide('operating/upgrade', 'Upgrade', 'Move to a newer version of Upvane or PostgreSQL, and back.'),
      guide('operating/backup', 'Back up and restore', 'What to keep, how to restore, point in time.'),
      guide('operating/releases', 'Verify a release', 'Check that what you downloaded is what was released.'),
      guide('operating/operator-page', 'The operator’s page', 'What runs and what needs attention, in the dashboard, for those who run the installation.'),
      guide('operating/health', 'Health and log', 'See whether Upvane works, and who notices if it does not.'),
      guide('operating/troubleshooting', 'Troubleshooting', 'Every message that an operator can see, its cause and what to do.'),
      guide('operating/alerts', 'Metrics, alerts and runbooks', 'Watch the service with Prometheus and Grafana; what to do when paged.'),
      guide('operating/high-availability', 'High availability', 'Survive the loss of a machine without losing what was acknowledged.'),
      guide('scaling', 'More processes', 'When to split roles; connections, NATS and disk.'),
      guide('scale', 'Millions of monitors', 'What one unit of work costs, and how to grow past one database.'),
      guide('operating/storage', 'What an organization can store', 'The limits, and how much they add up to.'),
      guide('operating/moving-organizations', 'Move an organization', 'To another installation, with history and secrets.'),
    ],
  },
  {
    title: 'About Upvane',
    pages: [
      note('changelog', 'CHANGELOG.md', 'Changelog', 'What users and operators notice, by version.'),
      note('upgrade-notes', 'UPGRADE.md', 'Notes for upgrades', 'Settings that changed, tables that are locked, by version.'),
      note('support', 'SUPPORT.md', 'Support and versions', 'Where to get help, which versions get fixes, what stays compatible.'),
      note('security', 'SECURITY.md', 'Security', 'How to report a vulnerability, and what protects what.'),
      note('benchmarks', 'benchmarks/README.md', 'Benchmarks', 'Every figure, and the command that measures it.'),
      guide('data-model', 'Data model', 'The tables, their keys and why.'),
      guide('glossary', 'Glossary', 'One word for a thing, in code, tests, documents and screens.'),
      guide('translating', 'Translating', 'Where the texts of the dashboard are, and how to translate them.'),
      guide('simulator', 'Simulator', 'A hundred simulated installations, and a judge.'),
      { path: DECISIONS, title: 'Decisions', summary: 'What was decided, what else was considered, and what it costs.' },
    ],
  },
]
