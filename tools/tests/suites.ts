// The test suites: which files they are, and how their files may be run.
import { existsSync, globSync } from 'node:fs'
import type { Place } from './schedule.ts'
import type { ProductKind } from './shared-product.ts'

export type Suite = {
  files: string
  /** For one test. */
  timeoutSeconds: number
  /** Files that are run together: in one process they share imports and slow setup. By default each has its own. */
  together?: 'all' | 'halves'
  /** Of these, files that have a process of their own all the same: they judge milliseconds, or mostly wait. */
  apart?: readonly string[]
  /** Where those run, if not where the others do. */
  apartPlace?: Place
  /** Its files, or all but those whose path starts with one of these, create databases on one PostgreSQL instead of starting
   * a server each. */
  sharesPostgres?: true | { except: readonly string[] }
  /** Running products that its files use, those whose path starts with one of these, or all. */
  sharedProducts?: readonly (ProductKind & { files?: readonly string[] })[]
  /** What its test processes, and the products they start, find in their environment. */
  env?: Readonly<Record<string, string>>
  /** Its temporary files are too large for memory. */
  needsDisk?: boolean
  /** How many processors a file keeps busy at least: not all that it starts is in its measured CPU time. */
  leastLoad?: number
  /** By default shared. Quiet: it kills processes and waits for leases, or judges milliseconds. Alone: it measures what others
   * would disturb. */
  place?: Place
}

export const SUITES: Record<string, Suite> = {
  unit: {
    files:
      '{{src,tools,cli,sdk,web/src,benchmarks}/**/!(*.db|*.slow),test/{private,hostile}/guards/plants}.test.ts',
    timeoutSeconds: 60,
    together: 'halves',
    apart: ['src/checks/hostile.test.ts', 'sdk/test/pacing.test.ts'],
  },
  sim: { files: 'test/{sim,oracle}/**/*.test.ts', timeoutSeconds: 180 },
  slow: { files: '{src,tools,cli,sdk}/**/*.slow.test.ts', timeoutSeconds: 180 },
  db: { files: '{src,tools}/**/*.db.test.ts', timeoutSeconds: 180, sharesPostgres: true },
  contract: {
    files: 'test/contract/**/*.test.ts',
    timeoutSeconds: 240,
    sharesPostgres: true,
    sharedProducts: [{ command: 'api', added: {} }],
  },
  app: {
    files: 'test/private/**/*.test.ts',
    timeoutSeconds: 180,
    sharesPostgres: true,
    sharedProducts: [{ command: 'api', added: { TRUSTED_PROXIES: '127.0.0.1' } }],
  },
  // Again, with the plain protocol to PostgreSQL: what keeps organizations apart, and every value that is sent in batches.
  plain: {
    files:
      '{src/store/{wire/*,core/{db,people-role,row-level-security,unreplicated},history/{late-results,results},monitors/{due,ping-receipt,write-states}}.db,test/{contract/isolation,private/screens-isolation}}.test.ts',
    timeoutSeconds: 240,
    sharesPostgres: true,
    env: { DATABASE_PROTOCOL: 'plain' },
  },
  fuzz: { files: 'test/fuzz/**/*.test.ts', timeoutSeconds: 600 },
  // Chromium's renderers, two thirds of the CPU time, end without being counted.
  web: { files: 'test/web/**/*.test.ts', timeoutSeconds: 300, leastLoad: 1 },
  e2e: {
    files: 'test/e2e/**/*.test.ts',
    timeoutSeconds: 300,
    // It judges every attempt of a hundred to 250 ms.
    apart: ['test/e2e/engine/hostile.test.ts'],
    apartPlace: 'quiet',
    // These stop, freeze or configure the server, judge its connections, run in a network of their own, run a command that
    // starts its own, or run when what was shared has stopped.
    sharesPostgres: {
      except: [
        'engine/hostile',
        'mcp/hostile-page',
        'operating/',
        'pages/freshness',
        'tools/',
        'webhooks/namespace',
      ].map((name) => `test/e2e/${name}`),
    },
    sharedProducts: [
      {
        command: 'api',
        added: {},
        files: [
          'test/e2e/as-code/',
          ...['accepted', 'aliases', 'moving', 'proxy'].map((name) => `test/e2e/import/${name}`),
          'test/e2e/mcp/clients',
        ],
      },
      {
        command: 'start',
        added: {},
        files: [
          ...['commands', 'evidence', 'guide', 'terminal'].map((name) => `test/e2e/cli/${name}`),
          ...['degraded', 'still-failing', 'transitions'].map((name) => `test/e2e/engine/${name}`),
          'test/e2e/windows/suppression',
        ],
      },
    ],
  },
  deploy: {
    files: 'test/deploy/**/*.test.ts',
    timeoutSeconds: 600,
    together: 'all',
    // The only one that needs neither the release nor a machine: it installs packages, for minutes.
    apart: ['test/deploy/checkout.test.ts'],
    needsDisk: true,
  },
  fault: { files: 'test/fault/**/!(soak).test.ts', timeoutSeconds: 600, place: 'quiet' },
  // Beside others, checks of one interval still run when the next is read.
  soak: { files: 'test/fault/**/soak.test.ts', timeoutSeconds: 600, place: 'alone' },
  hostile: {
    files: 'test/hostile/**/*.test.ts',
    timeoutSeconds: 600,
    together: 'all',
    place: 'alone',
  },
}

/** `only` are whole paths of tests, or parts of paths. */
export function filesOf(name: string, only: readonly string[] = []): string[] {
  const suite = SUITES[name]
  if (suite === undefined) throw new Error(`Suites: ${Object.keys(SUITES).join(', ')}`)
  const files = globSync(suite.files, { exclude: ['**/node_modules/**'] })
    .filter((file) => only.length === 0 || only.some((part) => isMeant(file, part)))
    .toSorted()
  if (files.length === 0)
    throw new Error(
      `Suite "${name}" has no test file${only.length ? ` for ${only.join(', ')}` : ''}.`,
    )
  return files
}

/** A whole path means only itself: src/a.test.ts is also a part of cli/src/a.test.ts. */
function isMeant(file: string, part: string): boolean {
  return part.endsWith('.test.ts') && existsSync(part) ? file === part : file.includes(part)
}
