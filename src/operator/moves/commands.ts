// `upvane org move …`: one organization to another installation.
import type { Command } from '../cli/command.ts'
import { moveIn } from './move-in.ts'
import { moveOut, undoMove } from './move-out.ts'

const ORG_ID = { value: 'ORG', text: 'the organization, an id that starts with org_' }
const SECRETS = {
  'passphrase-file': { value: 'FILE', text: 'a file with a passphrase of 16 characters or more' },
  'key-file': { value: 'FILE', text: 'a file with 32 random bytes in base64' },
}

export const MOVE_COMMANDS: readonly Command[] = [
  {
    name: 'org move export',
    summary: 'freeze an organization and write it to an encrypted file',
    arguments: ['org?'],
    options: { id: ORG_ID, file: { value: 'FILE', text: 'a new file' }, ...SECRETS },
    manual: [
      'Freezes the organization first: nothing of it is checked or sent anymore, and API keys, pings and the dashboard get an\nerror that says so. Then writes everything it has, history and secrets included, from one snapshot.',
      'The file is encrypted with AES-256-GCM and readable by its owner only. It contains the key of all secrets of the\norganization. Passwords of people are not in it.',
      'If it breaks off, run it again, or undo the freeze with upvane org move undo.',
    ],
    examples: ['upvane org move export org_… --file acme.move --passphrase-file /root/passphrase'],
    changes: true,
    run: moveOut,
  },
  {
    name: 'org move import',
    summary: 'import an organization from the file of another installation',
    arguments: ['file?'],
    options: {
      file: { value: 'FILE', text: 'the file of upvane org move export' },
      ...SECRETS,
      plan: { value: 'PLAN', text: 'FREE (default), STARTER, PRO, BUSINESS or UNLIMITED' },
      'private-targets': { text: 'let it check private addresses here, if it could there' },
      'keep-limits': { text: 'keep limits of its own beside the plan' },
      'keep-members': { text: 'let the members of the file be members here' },
      'keep-confirmed': { text: 'believe that email addresses were confirmed' },
      'keep-domains': { text: 'believe that custom domains were proven' },
      'keep-queue': { text: 'send emails and notices that were queued' },
      'trust-source': {
        text: 'all of these and its plan, but --private-targets; for an installation of your own',
      },
    },
    manual: [
      'Imports all or nothing, in one transaction, and checks the checksum before it commits. From then on the organization\nworks here. Its ids, API keys, ping addresses and webhook secrets stay the same.',
      'Both installations must run the same version. Refuses an organization that is here already, and one whose status\npage, domain or key is in use here.',
      'What this installation decides is not taken from the file, which its sender could have edited. The organization gets the\nplan FREE, email addresses and custom domains are confirmed again, queued emails are not sent, and members are invited: the\noutcome has their links, and says what was reset. For a file of your own installation add --trust-source.',
      'With --keep-members or --trust-source, members keep their membership by email address. Who has no account here gets one\nwithout a password, and chooses one with the link for a forgotten password.',
    ],
    examples: [
      'upvane org move import acme.move --passphrase-file /root/passphrase --trust-source',
      'upvane org move import acme.move --passphrase-file /root/passphrase --plan PRO',
    ],
    changes: true,
    run: moveIn,
  },
  {
    name: 'org move undo',
    summary: 'let an organization that was frozen for a move work here again',
    arguments: ['org?'],
    options: { id: ORG_ID, yes: { text: 'do not ask for confirmation' } },
    manual: [
      'Asks for the name of the organization first. Do not undo a move after the import: two installations would check and\nalert for the organization. After the import, delete it here with upvane org delete.',
    ],
    examples: ['upvane org move undo org_…'],
    changes: true,
    run: undoMove,
  },
]
