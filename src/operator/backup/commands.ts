// `upvane backup` and `upvane restore` for the command table.
import type { Command } from '../cli/command.ts'
import { backUp, formatBackup, formatRestore, restore } from './backup.ts'

export const BACKUP_COMMANDS: readonly Command[] = [
  {
    name: 'backup',
    summary: 'back up the database to a new file',
    arguments: ['file'],
    options: {
      scheduled: { text: 'a timer runs this: report when a backup fails or is missing' },
    },
    manual: [
      'Writes a dump of one moment while the service runs, and <file>.json with its SHA-256, its schema and the number of\nrows in each table. Only your account can read the two files. An existing file is never overwritten.',
      "Needs pg_dump and pg_restore of the server's version or newer, and MIGRATE_DATABASE_URL, the address of the account\nthat owns the database.",
      'The master keys are not in the dump. Without them, stored secrets cannot be read: keep a copy of MASTER_KEYS elsewhere.',
    ],
    examples: ['upvane backup /var/backups/upvane.dump'],
    changes: true,
    run: backUp,
    format: formatBackup,
  },
  {
    name: 'restore',
    summary: 'restore a backup into an empty database',
    arguments: ['file'],
    manual: [
      'Restores all or nothing: checks the SHA-256 of the file, creates missing roles, restores in one transaction, compares\nthe number of rows in each table, and brings an older backup to this version.',
      'Refuses a database that is not empty, a file that changed, and a backup of a newer version. Restore only files that you\ntrust: a dump can contain any SQL.',
      'Needs pg_restore, <file>.json, and MIGRATE_DATABASE_URL, the address of the account that owns the database.',
    ],
    examples: ['upvane restore /var/backups/upvane.dump'],
    changes: true,
    run: restore,
    format: formatRestore,
  },
]
