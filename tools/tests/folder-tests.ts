// Which tests a change can reach without an import: black-box tests start the product as a process, and documents, SQL
// and deployment files are imported by nobody. The longest matching start of a path decides.

export type Row = {
  /** Suites, or starts of paths: a few that show most mistakes in this folder, the best first. */
  run: readonly string[]
  /** What the change can also reach, but takes too long for every change. */
  ci?: readonly string[]
}

const BLACK_BOX = ['contract', 'app', 'fuzz', 'web', 'e2e', 'deploy', 'fault', 'soak', 'hostile']
const server = (...run: string[]): Row => ({ run, ci: BLACK_BOX })
const tests = (...run: string[]): Row => ({ run })

// A thing of the product has a folder in several rooms.
const NOUNS: Record<string, string[]> = {
  alerts: ['test/e2e/alerts/rules', 'test/e2e/alerts'],
  bulks: ['test/private/monitor-bulks'],
  deliveries: ['test/contract/webhook-deliveries', 'test/e2e/webhooks/delivery'],
  events: ['test/e2e/webhooks/events'],
  history: ['test/e2e/history', 'test/private/packing'],
  incidents: ['test/contract/incidents', 'test/e2e/engine/transitions'],
  maintenance: ['test/contract/maintenance-windows.', 'test/e2e/windows/suppression'],
  mcp: ['test/contract/mcp', 'test/e2e/mcp'],
  metrics: ['test/contract/metrics.'],
  monitors: ['test/contract/monitors-', 'test/contract/lifecycle'],
  operating: ['test/private/erasure', 'test/e2e/operating/healthy'],
  organizations: ['test/private/organization-settings', 'test/e2e/organizations/deletion'],
  people: ['test/private/team', 'test/private/sign-in', 'test/private/sessions'],
  probes: ['test/e2e/operating/joining', 'test/private/regions'],
  results: ['test/e2e/engine/transitions', 'test/e2e/engine/http'],
  sources: ['test/contract/ext-sources'],
  'status-incidents': ['test/contract/status-incident', 'test/private/incident-posts'],
  'status-pages': ['test/contract/status-page', 'test/e2e/pages/page'],
  tags: ['test/private/tags'],
  views: ['test/private/monitor-views', 'test/private/monitor-screens'],
  webhooks: ['test/contract/webhook-endpoints', 'test/e2e/webhooks/delivery'],
}
const nounRows = Object.entries(NOUNS).flatMap(([noun, run]) =>
  ['actions', 'domain', 'store'].map((room) => [`src/${room}/${noun}/`, server(...run)] as const),
)

const DOCUMENT = tests(
  'tools/build-docs',
  'src/api/guides',
  'tools/documentation',
  'tools/check-',
  'cli/cli-guide',
  'sdk/sdk-guide',
  'sdk/webhooks-guide',
  'src/contract/ext/guide',
  'tools/release/upgrade-notes',
)
const PAGES =
  'ARCHITECTURE CHANGELOG CODE_OF_CONDUCT CONTRIBUTING GOVERNANCE README ROADMAP SECURITY SUPPORT UPGRADE'.split(
    ' ',
  )
const GUIDED = ['benchmarks', 'cli', 'sdk', 'src', 'test/fault', 'test/fault/engine', 'web']
const documentRows = [...PAGES, ...GUIDED.map((folder) => `${folder}/README`)].map(
  (page) => [`${page}.md`, DOCUMENT] as const,
)

/** A file that no key matches can reach everything. */
export const FOLDER_TESTS: Readonly<Record<string, Row>> = {
  'src/': server('test/contract/monitors-create', 'test/e2e/engine/http'),
  'src/api/ext/': server('test/contract/ext-'),
  'src/api/http/': server('test/contract/protocol', 'test/contract/bodies', 'test/contract/auth'),
  'src/api/guides/': server(
    'tools/build-docs',
    'test/contract/documentation',
    'test/web/documentation',
  ),
  'src/api/mcp/': server('test/contract/mcp', 'test/e2e/mcp'),
  'src/api/metrics/': server('test/contract/metrics.'),
  'src/api/private/': server('test/private/matrix', 'test/private/guards.', 'app'),
  'src/api/public/': server('contract'),
  'src/api/site/': server('test/contract/web-headers'),
  'src/bus/': server('test/e2e/operating/joining', 'test/e2e/engine/http'),
  'src/channels/': server('test/e2e/alerts'),
  'src/channels/subscribers/': server('test/e2e/subscribers/life', 'test/e2e/subscribers/hooks.'),
  'src/channels/web-push/': server('test/e2e/alerts/web-push'),
  'src/channels/webhook.ts': server('test/e2e/webhooks/delivery'),
  'src/checks/': server('test/e2e/engine'),
  'src/contract/': server('test/contract/protocol', 'contract'),
  'src/contract/ext/': server('test/contract/ext-'),
  'src/contract/private/': server('test/private/matrix', 'app'),
  'src/engine/': server('test/e2e/engine'),
  'src/engine/delivery/': server('test/e2e/webhooks/delivery', 'test/e2e/alerts/rules'),
  'src/operator/': server('test/e2e/operating/healthy', 'test/private/set-up'),
  'src/outbound/': server('test/e2e/engine/http', 'test/e2e/webhooks/delivery'),
  'src/pages/': server('test/e2e/pages'),
  'src/pages/subscribe/': server('test/e2e/subscribers/life', 'test/e2e/pages/page'),
  'src/render/': server('test/e2e/pages/page', 'test/private/mail.'),
  ...Object.fromEntries(nounRows),

  'web/': { run: ['test/web/layout', 'test/web/first-run', 'test/web/sizes'], ci: ['web'] },
  'cli/': { run: ['test/e2e/cli/commands'], ci: ['slow'] },
  'sdk/': { run: ['test/e2e/sdk'], ci: ['slow'] },
  'tools/': tests(),
  'tools/words': tests('tools/check-words'),
  'benchmarks/': tests(),
  'test/': tests(),
  'test/deploy/': { run: [], ci: ['deploy'] },

  'migrations/': {
    run: ['src/store/core', 'test/contract/monitors-create', 'db'],
    ci: BLACK_BOX,
  },
  'deploy/': { run: ['tools/release', 'tools/platforms'], ci: ['deploy', 'test/e2e/operating'] },
  'deploy/as-code/': tests('test/e2e/as-code/pipelines'),
  'docs/': DOCUMENT,
  'docs/operating/': { ...DOCUMENT, ci: ['deploy', 'test/e2e/operating'] },
  'docs/samples/': { run: ['test/e2e/receivers'], ci: ['slow'] },
  ...Object.fromEntries(documentRows),
  'openapi.json': { run: ['test/contract/protocol', 'sdk/'], ci: ['contract', 'fuzz'] },
  'openapi-ext.json': { run: ['test/contract/ext-', 'sdk/'], ci: ['contract', 'fuzz'] },
  '.ci/': tests('tools/workflow'),
  '.github/': tests('tools/workflow', 'tools/issue-forms'),
  '.devcontainer/': tests('tools/devcontainer'),
  // Only npm run verify reads these.
  '.editorconfig': tests(),
  'rooms.json': tests('tools/rooms'),
  'biome.json': tests(),
  '.oxlintrc.json': tests(),
  '.gitignore': tests(),
  LICENSE: tests(),
}
