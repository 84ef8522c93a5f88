// `upvane org …` and `upvane key …`.
import { eraseOrganization } from '../../engine/janitor/erase-organization.ts'
import {
  type ErasableOrganization,
  findErasable,
} from '../../store/operating/erase-organization.ts'
import type { Command, CommandContext } from '../cli/command.ts'
import { confirm } from '../cli/confirm.ts'
import { idFlag, UsageError } from '../cli/flags.ts'
import { operatorName } from '../cli/operator-name.ts'
import { exportOrganizationData } from '../people/export-data.ts'
import { setOrganizationRegion } from '../probes/regions.ts'
import { createKey, listKeys, stopKey } from './keys.ts'
import {
  changeOrganization,
  createWithNote,
  findOnlyOrganization,
  listOrganizations,
  renameOrganization,
} from './organizations.ts'

const PLAN = { value: 'PLAN', text: 'FREE, STARTER, PRO, BUSINESS or UNLIMITED (default)' }
const SUBSCRIPTION = {
  value: 'STATUS',
  text: 'TRIALING, ACTIVE (default), PAST_DUE, CANCELED or NONE',
}
const ORG_ID = { value: 'ORG', text: 'the organization, an id that starts with org_' }

export const ORGANIZATION_COMMANDS: readonly Command[] = [
  {
    name: 'org create',
    summary: 'create an organization',
    options: {
      name: { value: 'NAME', text: 'its name, 1 to 120 characters' },
      plan: PLAN,
      subscription: SUBSCRIPTION,
    },
    manual: [
      'Creates an organization without members. While nobody has an account, the set-up link in the log creates the first\naccount as its owner. Later, invite an owner with upvane person invite.',
    ],
    examples: ['upvane org create --name "My team"'],
    changes: true,
    run: ({ engine, people, secrets, flags }) => createWithNote(engine, people, secrets, flags),
  },
  {
    name: 'org change',
    summary: 'change the plan or the subscription of an organization',
    arguments: ['org?'],
    options: { id: ORG_ID, plan: PLAN, subscription: SUBSCRIPTION },
    manual: [
      'An option that is not given leaves its value. The change counts from the next request.',
    ],
    examples: ['upvane org change org_… --plan PRO'],
    changes: true,
    run: (context) => changeOrganization(context.engine, context.argument(0, 'id')),
  },
  {
    name: 'org rename',
    summary: 'rename an organization',
    arguments: ['org?', 'name?'],
    options: { id: ORG_ID, name: { value: 'NAME', text: 'the new name, 1 to 120 characters' } },
    examples: ['upvane org rename org_… "Acme Europe"'],
    changes: true,
    run: (context) => {
      const [, name = context.flags['name']] = context.args
      return renameOrganization(context.engine, { ...context.argument(0, 'id'), name })
    },
  },
  {
    name: 'org set-region',
    summary: 'choose the region where the checks of an organization start',
    arguments: ['org?', 'region?'],
    options: {
      id: ORG_ID,
      region: { value: 'REGION', text: 'a region of this installation, or auto' },
    },
    manual: [
      'Response times of this region are the ones compared for DEGRADED; after a change they start over.',
      'auto, which is also the default, means the oldest region that has probes.',
    ],
    examples: ['upvane org set-region org_… eu-west', 'upvane org set-region org_… auto'],
    changes: true,
    run: (context) => {
      const [, region = context.flags['region']] = context.args
      return setOrganizationRegion(context.engine, { ...context.argument(0, 'id'), region })
    },
  },
  {
    name: 'org export',
    summary: 'write everything an organization has to a JSON file',
    arguments: ['org?'],
    options: {
      id: ORG_ID,
      file: { value: 'FILE', text: 'a new file; standard output by default' },
    },
    manual: [
      'One JSON document: {"format":"upvane-organization-export/1","id","exportedAt","tables":{name:[rows]}}. It has every\ntable with rows of the organization, from one snapshot. Secrets, hashes and sealed values are left out; addresses of\nalert contacts and subscribers are in it. The file is readable by its owner only.',
    ],
    examples: ['upvane org export org_… --file acme.json'],
    changes: true,
    run: async (context) => {
      const { orgId } = await findOrganization(context)
      return exportOrganizationData(context, orgId)
    },
  },
  {
    name: 'org delete',
    summary: 'delete an organization and everything in it',
    arguments: ['org?'],
    options: { id: ORG_ID, yes: { text: 'do not ask for confirmation' } },
    manual: [
      'Asks for the name of the organization first. Deletes its monitors with their history, incidents, pages, keys,\nmembers, log and everything else, in small batches while the service keeps running. People stay, without their\nmembership. One line of the operator log stays, with the id and the number of rows.',
      'If it breaks off, run it again: it continues. Backups still contain the organization until they expire.',
    ],
    examples: ['upvane org delete org_…', 'upvane org delete org_… --yes'],
    changes: true,
    run: async (context) => {
      const { orgId, name } = await findOrganization(context)
      await confirm(context.flags, `This deletes ${name} and everything in it, for good.`, name)
      return eraseOrganization(context.engine, orgId, { operator: operatorName() })
    },
  },
  {
    name: 'org list',
    summary: 'list organizations with their plan and number of monitors',
    changes: false,
    run: ({ engine }) => listOrganizations(engine),
  },
]

export const KEY_COMMANDS: readonly Command[] = [
  {
    name: 'key create',
    summary: 'create an API key; it is shown once',
    options: {
      org: ORG_ID,
      name: { value: 'NAME', text: 'what it is for, 1 to 120 characters' },
      access: { value: 'ACCESS', text: 'FULL (default) or READ_ONLY' },
      'expires-in': { value: 'TIME', text: 'such as 90d, 12h or 30m; never by default' },
      'mcp-writes': { text: 'let assistants that connect over HTTP (MCP) change something' },
    },
    manual: [
      'Without --org it is for the only organization there is, such as the one of the set-up link.',
    ],
    examples: [
      'upvane key create --name "Deploy pipeline"',
      'upvane key create --org org_… --name "Deploy pipeline" --expires-in 90d',
    ],
    changes: true,
    run: async ({ engine, flags }) => {
      const org = flags['org'] ?? (await findOnlyOrganization(engine))
      return createKey(engine, { ...flags, org })
    },
  },
  {
    name: 'key list',
    summary: 'list the API keys of an organization',
    arguments: ['org?'],
    options: { org: ORG_ID },
    examples: ['upvane key list org_…'],
    changes: false,
    run: (context) => listKeys(context.engine, context.argument(0, 'org')),
  },
  ...(['disable', 'revoke'] as const).map(
    (how): Command => ({
      name: `key ${how}`,
      summary:
        how === 'disable' ? 'stop an API key until an admin enables it' : 'end an API key for good',
      arguments: ['key?'],
      options: { id: { value: 'KEY', text: 'the key, an id that starts with key_' } },
      examples: [`upvane key ${how} key_…`],
      changes: true,
      run: (context) => stopKey(context.engine, context.argument(0, 'id'), how),
    }),
  ),
]

async function findOrganization(context: CommandContext): Promise<ErasableOrganization> {
  const id = idFlag(context.argument(0, 'id'), 'id', 'org')
  const found = await findErasable(context.engine, id)
  if (found === undefined)
    throw new UsageError('There is no such organization. Try upvane org list.')
  return found
}
