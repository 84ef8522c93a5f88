// All operator commands except those that run the service. A new one needs only an entry here: the command line, the
// manual and the audit test read this table.
import { join } from 'node:path'
import { listSettings, readConfig } from '../platform/config/config.ts'
import { PushKeys } from '../store/alerts/push-keys.ts'
import { migrate, planMigrations } from '../store/core/migrate.ts'
import { EvidenceKeys } from '../store/incidents/evidence-keys.ts'
import { PeopleSecrets } from '../store/people/people-secrets.ts'
import { BACKUP_COMMANDS } from './backup/commands.ts'
import { recordAsOwner } from './cli/audit.ts'
import type { Command, CommandContext } from './cli/command.ts'
import { checkConfiguration } from './config-check.ts'
import { doctorCommand } from './doctor/doctor.ts'
import { MOVE_COMMANDS } from './moves/commands.ts'
import { KEY_COMMANDS, ORGANIZATION_COMMANDS } from './organizations/commands.ts'
import { PERSON_COMMANDS } from './people/commands.ts'
import { OPERATOR_MARK_COMMANDS } from './people/operators.ts'
import { PROBE_COMMANDS } from './probes/commands.ts'
import {
  formatVerified,
  type VerifiedRelease,
  verifyReleaseCommand,
} from './release/verify-release.ts'
import { rotateKeys } from './rotate-keys.ts'

const ROOT = join(import.meta.dirname, '../..')
export const MIGRATIONS = join(ROOT, 'migrations')

export const OPERATOR_COMMANDS: readonly Command[] = [
  {
    name: 'migrate',
    summary: 'bring the database to this version',
    options: { plan: { text: 'list what is pending and which tables it locks; change nothing' } },
    manual: [
      'Safe to run from several places at once and while the service runs. It waits for long transactions such as\npg_dump before it locks a table, for up to 15 minutes, and says which process it waits for.',
      'Needs MIGRATE_DATABASE_URL, the address of the account that owns the database.',
    ],
    examples: ['upvane migrate --plan', 'upvane migrate'],
    changes: true,
    run: runMigrate,
  },
  ...BACKUP_COMMANDS,
  {
    name: 'config check',
    summary: 'check every setting and report all problems',
    manual: [
      'Misspelled names count as problems. Reads the environment only; connects to nothing. Run by root, it also checks\nthat the account upvane can read every file that is named.',
    ],
    changes: false,
    run: (context) => checkConfiguration(context),
  },
  {
    name: 'config print',
    summary: 'print every setting with its value and source; secrets are hidden',
    changes: false,
    run: async ({ environment, environmentFile }) => {
      readConfig(environment)
      return listSettings(environment, environmentFile.names)
    },
  },
  doctorCommand({ root: ROOT, migrations: MIGRATIONS }),
  ...ORGANIZATION_COMMANDS,
  ...MOVE_COMMANDS,
  ...KEY_COMMANDS,
  ...PERSON_COMMANDS,
  ...OPERATOR_MARK_COMMANDS,
  ...PROBE_COMMANDS,
  {
    name: 'verify-release',
    summary: 'verify that downloaded files are what was released; works offline',
    arguments: ['directory'],
    options: {
      key: { value: 'KEY', text: 'the public key of the maintainers, or the file that has it' },
      release: { value: 'VERSION', text: 'fail if it is another version, such as an older one' },
    },
    manual: [
      'Verifies the signature of SHA256SUMS, and every file in the directory against it. Ends with 1 if a file was changed,\nadded or signed by somebody else. Files that you did not download are listed.',
      'Run it with an installation that you trust. Without one: minisign -Vm SHA256SUMS -P KEY, and then\nsha256sum --check --ignore-missing SHA256SUMS.',
    ],
    examples: ['upvane verify-release ~/upvane-0.2.0 --key upvane.pub --release 0.2.0'],
    changes: false,
    run: verifyReleaseCommand,
    format: formatVerified,
    exitCode: ({ problems }: VerifiedRelease) => (problems.length > 0 ? 1 : 0),
  },
  {
    name: 'rotate-keys',
    summary: "wrap every organization's key with the current master key",
    manual: [
      'Run it after you put a new key in front of MASTER_KEYS, then remove the old key. The service keeps running.',
    ],
    changes: true,
    run: ({ engine, secrets, config }) =>
      rotateKeys(engine, secrets, [
        new PeopleSecrets(config.masterKeys),
        new PushKeys(config.masterKeys),
        new EvidenceKeys(config.masterKeys),
      ]),
  },
]

async function runMigrate({ flags, config }: CommandContext): Promise<unknown> {
  const { migrateDatabaseUrl: url, databaseUrl: serviceUrl } = config
  if (flags['plan'] === true) return { pending: await planMigrations(url, MIGRATIONS) }
  const onWait = (message: string) => void process.stderr.write(`${message}\n`)
  const applied = await migrate({ url, directory: MIGRATIONS, serviceUrl, onWait })
  if (applied.length > 0) await recordAsOwner(url, { action: 'migrate', detail: { applied } })
  return { applied }
}
