// What plan and apply have in common: their options, the file, the organization, and the plan made of both.
import type { Upvane } from '@upvane/sdk'
import { openClient } from '../../api/client.ts'
import {
  type Call,
  CommandError,
  type Environment,
  type Options,
  type Values,
} from '../../command.ts'
import { readWhole } from '../../commands/option-values.ts'
import type { Configuration } from '../file/configuration.ts'
import { loadConfiguration } from '../file/read-file.ts'
import type { LiveResources } from '../model/live.ts'
import { makePlan } from '../plan/make-plan.ts'
import type { ConfigPlan, PlanOptions, Prune } from '../plan/plan.ts'
import { renderDuration } from '../plan/render-text.ts'
import { createOutput, type Output } from './output.ts'
import { readOrganization } from './read-live.ts'

const MAX_REMOVALS = 100_000
// Longer than the bar of an apply.
const LINE = process.stderr.isTTY ? 60 : 0

export const FILE_OPTION = {
  file: {
    value: 'FILE',
    short: 'f',
    text: 'the file; else upvane.yaml, upvane.yml, upvane.json or upvane.config.ts',
    completion: 'file',
  },
} as const satisfies Options

export const PLAN_OPTIONS = {
  ...FILE_OPTION,
  prune: {
    value: 'MODE',
    text: 'for what is no longer in the file: keep (default), pause (monitors) or delete',
    completion: ['keep', 'pause', 'delete'],
  },
  'max-removals': {
    value: 'N',
    text: 'allow more removals than 5, or than 20% of what the file manages',
  },
  adopt: { text: 'manage the one resource that looks the same, instead of refusing a second' },
  'allow-twins': { text: 'create a second one' },
  recreate: { text: 'create again what was deleted outside of the file' },
  'write-secrets': { text: 'send secrets that cannot be compared' },
} as const satisfies Options

export function toPlanOptions(given: Values<typeof PLAN_OPTIONS>): PlanOptions {
  const max = given['max-removals']
  return {
    prune: toPrune(given.prune ?? 'keep'),
    maxRemovals: max === undefined ? undefined : readWhole('max-removals', max, [0, MAX_REMOVALS]),
    adopt: given.adopt,
    allowTwins: given['allow-twins'],
    recreate: given.recreate,
    writeSecrets: given['write-secrets'],
  }
}

function toPrune(text: string): Prune {
  if (text === 'keep' || text === 'pause' || text === 'delete') return text
  throw new CommandError(2, '--prune must be keep, pause or delete.')
}

export type PlanSession = {
  client: Upvane
  configuration: Configuration
  plan: ConfigPlan
  live: LiveResources
  output: Output
}

type FileCall = Call<{ readonly file: string | undefined; readonly profile?: string | undefined }>

export async function openSession(call: FileCall, options: PlanOptions): Promise<PlanSession> {
  const { configuration } = await loadConfiguration(call.options.file, call.env)
  const output = createOutput(secretsOf(configuration, call.env))
  const client = await openClient(call, {
    onRateLimitWait: (waitMs) => noteWait(output, waitMs),
  })
  const { live, bindings } = await readOrganization(client, configuration.source)
  const plan = makePlan({ configuration, live, bindings, options, now: Date.now() })
  return { client, configuration, plan, live, output }
}

function noteWait(output: Output, waitMs: number): void {
  // Over the bar, which is in this line of a terminal.
  const start = process.stderr.isTTY ? '\r' : ''
  const seconds = Math.ceil(waitMs / 1000)
  output.note(`${start}waiting ${renderDuration(seconds)} for the rate limit`.padEnd(LINE))
}

export function secretsOf({ secrets }: Configuration, env: Environment): string[] {
  return [...secrets, env['UPVANE_API_KEY'] ?? '']
}

/** Why an apply does nothing at all. */
export function refusalsOf({ steps, refusals }: ConfigPlan): string[] {
  const own = steps.flatMap(({ address, refusal }) =>
    refusal === null ? [] : [`${address}: ${refusal}`],
  )
  return [...refusals, ...own]
}
