// `upvane person …`.
import type { Command } from './command.ts'
import {
  invitePerson,
  listPeople,
  makePersonResetLink,
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
      makePersonResetLink(context.people, context.argument(0, 'email'), context.config.baseUrl),
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
    name: 'person remove-second-factor',
    summary: 'let somebody in who lost their authenticator and recovery codes',
    arguments: ['email?'],
    options: { email: EMAIL },
    manual: [MAKE_SURE],
    examples: ['upvane person remove-second-factor ana@example.com'],
    changes: true,
    run: (context) => removePersonSecondFactor(context.people, context.argument(0, 'email')),
  },
]
