// `upvane operator …`: which people may open the operator's page. Nothing else gives or takes that.
import { PATHS } from '../../domain/values/dashboard-paths.ts'
import { toPublicId } from '../../domain/values/id.ts'
import { deleteOperator, insertOperator, listOperators } from '../../store/people/operators.ts'
import { findByEmail } from '../../store/people/users.ts'
import { recordCommand } from '../cli/audit.ts'
import type { Command, CommandContext } from '../cli/command.ts'
import { UsageError } from '../cli/flags.ts'
import { emailFlag } from './people.ts'

const MAX_LISTED = 1000
const EMAIL = { value: 'EMAIL', text: 'the address of the account' }

export const OPERATOR_MARK_COMMANDS: readonly Command[] = [
  {
    name: 'operator add',
    summary: "let a person open the operator's page of the dashboard",
    arguments: ['email?'],
    options: { email: EMAIL },
    manual: [
      'The page shows version, processes, probes, conditions, backups and queues of this installation, and nothing of its\norganizations. It needs an account with two-factor authentication, and a sign-in or code not older than ten minutes.',
      'Takes effect with the next request. Somebody who is an operator already stays one.',
    ],
    examples: ['upvane operator add ana@example.com'],
    changes: true,
    run: (context) => changeOperator(context, insertOperator, 'operator add'),
  },
  {
    name: 'operator remove',
    summary: "take the operator's page from a person; their account stays",
    arguments: ['email?'],
    options: { email: EMAIL },
    examples: ['upvane operator remove ana@example.com'],
    changes: true,
    run: (context) => changeOperator(context, deleteOperator, 'operator remove'),
  },
  {
    name: 'operator list',
    summary: "list the people who may open the operator's page",
    changes: false,
    run: async ({ people, config }) => {
      const page = `${config.baseUrl}${PATHS.operator}`
      const operators = await listOperators(people, MAX_LISTED)
      return {
        page,
        operators: operators.map(({ uuid, ...rest }) => ({ id: toPublicId('usr', uuid), ...rest })),
      }
    },
  },
]

type Change = typeof insertOperator

/** Changes nothing, and writes no line, if it is as asked for already. */
async function changeOperator(context: CommandContext, change: Change, action: string) {
  const { people, engine } = context
  const found = await findByEmail(people, emailFlag(context.argument(0, 'email')))
  if (found === undefined) throw new UsageError('There is no such person. Try upvane person list.')
  const { uuid, email } = found
  const changed = await engine.transaction(undefined, async (tx) => {
    const isChanged = await change(tx, uuid)
    if (isChanged) await recordCommand(tx, { action, personId: uuid })
    return isChanged
  })
  return { id: toPublicId('usr', uuid), email, done: action, changed }
}
