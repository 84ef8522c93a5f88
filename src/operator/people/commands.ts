// `upvane person …`.
import { fromPublicId, toPublicId } from '../../domain/values/id.ts'
import { findByEmail } from '../../store/people/users.ts'
import type { Command, CommandContext } from '../cli/command.ts'
import { confirm } from '../cli/confirm.ts'
import { UsageError } from '../cli/flags.ts'
import { type ErasedPerson, erasePerson } from './delete.ts'
import { exportPersonData } from './export-data.ts'
import {
  createPersonResetLink,
  emailFlag,
  invitePerson,
  listPeople,
  removePersonSecondFactor,
  switchPerson,
} from './people.ts'

const EMAIL = { value: 'EMAIL', text: 'the address of the account' }
const MAKE_SURE =
  'Make sure who is asking before you run this: it is what an impostor would ask for.'

export const PERSON_COMMANDS: readonly Command[] = [
  {
    name: 'person list',
    summary: 'list people with their organizations and roles',
    changes: false,
    run: ({ people }) => listPeople(people),
  },
  {
    name: 'person invite',
    summary: 'create an invitation link for an organization',
    arguments: ['email?'],
    options: {
      org: { value: 'ORG', text: 'the organization, an id that starts with org_' },
      email: { value: 'EMAIL', text: 'who may join' },
      role: { value: 'ROLE', text: 'OWNER (default), ADMIN, MEMBER or READ_ONLY' },
    },
    manual: [
      'The link works once and expires after 7 days. Also for an organization without members.',
    ],
    examples: ['upvane person invite ana@example.com --org org_…'],
    changes: true,
    run: (context) =>
      invitePerson(context.people, context.argument(0, 'email'), context.config.baseUrl),
  },
  {
    name: 'person reset-link',
    summary: 'create a link to choose a new password',
    arguments: ['email?'],
    options: { email: EMAIL },
    manual: [`The link works once and expires after an hour. ${MAKE_SURE}`],
    examples: ['upvane person reset-link ana@example.com'],
    changes: true,
    run: (context) =>
      createPersonResetLink(context.people, context.argument(0, 'email'), context.config.baseUrl),
  },
  ...(['disable', 'enable'] as const).map(
    (how): Command => ({
      name: `person ${how}`,
      summary:
        how === 'disable'
          ? 'close an account; all its sessions end'
          : 'open an account that was disabled',
      arguments: ['email?'],
      options: { email: EMAIL },
      examples: [`upvane person ${how} ana@example.com`],
      changes: true,
      run: (context) => switchPerson(context.people, context.argument(0, 'email'), how),
    }),
  ),
  {
    name: 'person export',
    summary: 'write what is stored about a person to a JSON file',
    arguments: ['email?'],
    options: {
      email: EMAIL,
      file: { value: 'FILE', text: 'a new file; standard output by default' },
    },
    manual: [
      'One JSON document, {"format":"upvane-person-export/1",…}: account, memberships, sessions, identities, links,\ninvitations, actions from the audit logs, acknowledged incidents and notes. No secrets and no hashes.',
    ],
    examples: ['upvane person export ana@example.com --file ana.json'],
    changes: true,
    run: async (context) => exportPersonData(context, await findPerson(context)),
  },
  {
    name: 'person delete',
    summary: 'delete a person and every trace of them',
    arguments: ['email?'],
    options: { email: EMAIL, yes: { text: 'do not ask for confirmation' } },
    manual: [
      'Asks for the address first. Deletes the account, sessions, memberships, invitations, alert contacts and status page\nsubscriptions with the address, and emails to it. What they did stays, by a "Deleted person". One line of the\noperator log stays, with the id and counts. The last owner of an organization cannot be deleted.',
      'If it breaks off, run it again with the address, or with the id (usr_…) when the account is already gone.',
      'Not searched: free text that others wrote, such as names of monitors and messages of incidents. Backups still\ncontain the person until they expire.',
    ],
    examples: ['upvane person delete ana@example.com'],
    changes: true,
    run: async (context) => {
      const person = await findPerson(context)
      const warning = `This deletes ${person.email ?? person.name} and every trace of them, for good.`
      await confirm(context.flags, warning, person.email ?? toPublicId('usr', person.uuid))
      return erasePerson(context, person)
    },
  },
  {
    name: 'person remove-second-factor',
    summary: 'let somebody in who lost authenticator, passkeys and recovery codes',
    arguments: ['email?'],
    options: { email: EMAIL },
    manual: [MAKE_SURE],
    examples: ['upvane person remove-second-factor ana@example.com'],
    changes: true,
    run: (context) => removePersonSecondFactor(context.people, context.argument(0, 'email')),
  },
]

async function findPerson(context: CommandContext): Promise<ErasedPerson> {
  const flags = context.argument(0, 'email')
  const uuid = fromPublicId('usr', String(flags['email']))
  if (uuid !== undefined) return { uuid, email: undefined, name: String(flags['email']) }
  const found = await findByEmail(context.people, emailFlag(flags))
  if (found === undefined) throw new UsageError('There is no such person. Try upvane person list.')
  return found
}
