// `npm run long [name …]`: runs the tests at their large sizes, one after the other, and shows the figures they print.
import { spawnSync } from 'node:child_process'

type Long = { command: string[]; env?: Record<string, string> }

const SUITES: Record<string, Long> = {
  models: { command: ['tools/run-tests.ts', 'unit', 'src/domain'], env: { RUNS: '100000' } },
  simulator: { command: ['test/sim/run.ts', '--seeds', '2000'] },
  'planted-bugs': { command: ['test/sim/run.ts', '--plant', 'all'] },
  'sim-plants': { command: ['test/sim/engine/run-plants.ts'] },
  fuzz: { command: ['tools/run-tests.ts', 'fuzz'], env: { FUZZ_REQUESTS: '20000' } },
  fault: {
    command: ['tools/run-tests.ts', 'fault'],
    env: {
      ROUNDS: '500',
      KILLS: '300',
      COMMIT_KILLS: '60',
      POSTGRES_KILLS: '20',
      CHAOS_SECONDS: '600',
      CUT_SECONDS: '60',
      DEAD_SECONDS: '60',
      FREEZE_SECONDS: '30',
      TERMINATE_SECONDS: '30',
      TEST_TIMEOUT_SECONDS: '3600',
    },
  },
  egress: {
    command: ['tools/run-tests.ts', 'fault', 'engine/egress'],
    env: { EGRESS_DOUBT_SECONDS: '180', EGRESS_CUT_SECONDS: '600', TEST_TIMEOUT_SECONDS: '1800' },
  },
  failover: {
    command: ['tools/run-tests.ts', 'fault', 'fault/failover'],
    env: { FAILOVERS: '10', TEST_TIMEOUT_SECONDS: '3600' },
  },
  'soak-single': {
    command: ['tools/run-tests.ts', 'soak'],
    env: { SOAK_SECONDS: '1800', TEST_TIMEOUT_SECONDS: '3600' },
  },
  soak: { command: ['--test', 'test/long/soak.test.ts'] },
  upgrade: {
    command: ['tools/run-tests.ts', 'fault', 'upgrade'],
    env: {
      UPGRADE_DUMP_SECONDS: '60',
      UPGRADE_AFTER_SECONDS: '60',
      UPGRADE_MONITORS: '1000',
      TEST_TIMEOUT_SECONDS: '1800',
    },
  },
  backup: {
    command: ['tools/run-tests.ts', 'e2e', 'operating/point-in-time'],
    env: { RESTORE_MAJOR: '18' },
  },
  'pg-latest': { command: ['tools/pg-latest.ts'] },
  'postgres-versions': { command: ['tools/postgres-versions.ts'] },
  clocks: { command: ['tools/clocks.ts'] },
  history: {
    command: ['tools/run-tests.ts', 'e2e', 'history'],
    env: { RESULTS: '1000000' },
  },
  uptime: { command: ['tools/run-tests.ts', 'db', 'store/history/uptime'], env: { RUNS: '10000' } },
  windows: {
    command: ['tools/run-tests.ts', 'sim', 'windows'],
    env: { WINDOW_CASES: '10000', WINDOW_LIVES: '3000', TEST_TIMEOUT_SECONDS: '900' },
  },
  alerts: {
    command: ['tools/run-tests.ts', 'sim', 'sim/alerts'],
    env: { ALERT_LIVES: '2000', TEST_TIMEOUT_SECONDS: '1800' },
  },
  'as-code': {
    command: ['tools/run-tests.ts', 'e2e', 'e2e/as-code'],
    env: {
      AS_CODE_ORGANIZATIONS: '200',
      AS_CODE_RESOURCES: '200',
      AS_CODE_MONITORS: '3000',
      TEST_TIMEOUT_SECONDS: '3600',
    },
  },
  'alert-kills': {
    command: ['tools/run-tests.ts', 'e2e', 'alerts/kill'],
    env: { ALERT_KILL_ROUNDS: '20', TEST_TIMEOUT_SECONDS: '3600' },
  },
  'webhook-kills': {
    command: ['tools/run-tests.ts', 'e2e', 'webhooks/kill'],
    env: { WEBHOOK_KILLS: '1000', TEST_TIMEOUT_SECONDS: '10800' },
  },
  'webhook-engines': {
    command: ['tools/run-tests.ts', 'e2e', 'webhooks/engines'],
    env: { WEBHOOK_CHANGES: '1000', TEST_TIMEOUT_SECONDS: '3600' },
  },
  'webhook-fairness': {
    command: ['tools/run-tests.ts', 'e2e', 'webhooks/fairness'],
    env: { WEBHOOK_DUE: '100000', WEBHOOK_EVENTS: '400' },
  },
  'webhook-dispatchers': {
    command: ['tools/run-tests.ts', 'e2e', 'webhooks/side-by-side'],
    env: { WEBHOOK_DUE_OF_EACH: '500' },
  },
  'window-edges': {
    command: ['tools/run-tests.ts', 'e2e', 'windows/edges'],
    env: { WINDOWS: '300' },
  },
  hostile: {
    command: ['tools/run-tests.ts', 'hostile'],
    env: {
      HOSTILE_QUIET_SECONDS: '60',
      HOSTILE_SECONDS: '30',
      HOSTILE_WRITE_SECONDS: '60',
      HOSTILE_JOINS: '1',
      TEST_TIMEOUT_SECONDS: '900',
    },
  },
  'hostile-guards': { command: ['test/hostile/guards/run.ts'] },
  'people-guards': { command: ['test/private/guards/run.ts'] },
  watch: {
    command: ['tools/run-tests.ts', 'e2e', 'operating/not-working'],
    env: { WATCH_DEFAULTS: '1', TEST_TIMEOUT_SECONDS: '1800' },
  },
  'dashboard-memory': { command: ['benchmarks/dashboard-memory.ts'] },
  deploy: {
    command: ['tools/run-tests.ts', 'deploy'],
    env: { DEPLOY_LONG: '1', TEST_TIMEOUT_SECONDS: '3600' },
  },
  million: { command: ['benchmarks/million/run.ts'] },
  'million-small': { command: ['--test', 'test/long/million.test.ts'] },
  'million-api': { command: ['benchmarks/load-million.ts'] },
  'packing-kills': {
    command: ['tools/run-tests.ts', 'slow', 'history/packing-kills'],
    env: { PACK_KILLS: '300', PACK_POSTGRES_KILLS: '20', TEST_TIMEOUT_SECONDS: '3600' },
  },
  packing: { command: ['benchmarks/packing.ts', '--monitors', '3000', '--days', '3'] },
}

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !(name in SUITES))
if (unknown.length > 0) throw new Error(`Known: ${Object.keys(SUITES).join(', ')}`)

const failed: string[] = []
for (const [name, { command, env = {} }] of Object.entries(SUITES)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  console.log(`\n== ${name}: ${JSON.stringify(env)}`)
  const startedAt = performance.now()
  const { status } = spawnSync(process.execPath, command, {
    stdio: 'inherit',
    env: { ...process.env, ...env },
  })
  const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1)
  console.log(`== ${name}: ${status === 0 ? 'passed' : 'FAILED'} after ${minutes} min`)
  if (status !== 0) failed.push(name)
}
if (failed.length > 0) console.error(`Failed: ${failed.join(', ')}`)
process.exitCode = failed.length > 0 ? 1 : 0
