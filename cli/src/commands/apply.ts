import { existsSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { type ApplyResult, applyPlan } from '../as-code/act/apply-plan.ts'
import { appendPrivately } from '../as-code/act/output.ts'
import { createProgress } from '../as-code/act/progress.ts'
import {
  openSession,
  PLAN_OPTIONS,
  type PlanSession,
  refusalsOf,
  toPlanOptions,
} from '../as-code/act/session.ts'
import { isChange } from '../as-code/plan/plan.ts'
import { renderText } from '../as-code/plan/render-text.ts'
import { fingerprintOf, readSavedPlan, type SavedPlan } from '../as-code/plan/saved-plan.ts'
import { CommandError, defineCommand } from '../command.ts'
import { toSafeJson } from '../terminal/text.ts'

type ApplySettings = { json: boolean; secretsFile: string | undefined }

export const apply = defineCommand({
  name: 'apply',
  summary: 'make the organization what a configuration file says',
  options: {
    ...PLAN_OPTIONS,
    yes: { text: 'do not ask; needed without a terminal' },
    plan: {
      value: 'FILE',
      text: 'a plan saved by "upv plan -o FILE", with its options; refused if anything has moved since',
      completion: 'file',
    },
    'secrets-file': {
      value: 'FILE',
      text: 'where to add signing secrets of new webhook endpoints and contacts, one line of JSON each, readable by you alone',
      completion: 'file',
    },
  },
  usesApi: true,
  printsJson: true,
  notes: [
    'It may be interrupted at any time: the next apply continues, and nothing is created twice.',
    'Without --secrets-file, a new signing secret is printed once, on a terminal only.',
  ],
  async run(call) {
    const { options } = call
    const saved = options.plan === undefined ? undefined : readPlanFile(options.plan)
    const session = await openSession(call, saved?.options ?? toPlanOptions(options))
    refuse(session, saved)
    const { plan, output } = session
    const settings = { json: options.json === true, secretsFile: options['secrets-file'] }
    if (!settings.json)
      output.print(plan.steps.some(isChange) ? renderText(plan) : 'Nothing to do.')
    if (plan.steps.some(isChange) && !options.yes) await confirm()
    report(session, await carryOut(session, settings), settings)
  },
})

function readPlanFile(file: string): SavedPlan {
  if (!existsSync(file)) throw new CommandError(2, `${file} does not exist.`)
  const saved = readSavedPlan(readFileSync(file, 'utf8'))
  if (saved === undefined) throw new CommandError(2, `${file} is not a saved plan.`)
  return saved
}

function refuse({ plan, output }: PlanSession, saved: SavedPlan | undefined): void {
  if (saved !== undefined && saved.fingerprint !== fingerprintOf(plan))
    throw new CommandError(
      4,
      'something has moved since the plan was made. Nothing was done: plan again.',
    )
  const refusals = refusalsOf(plan)
  if (refusals.length > 0)
    throw new CommandError(4, output.hide(['nothing was done:', ...refusals].join('\n')))
}

async function confirm(): Promise<void> {
  if (!process.stdin.isTTY) throw new CommandError(2, 'Without a terminal, apply needs --yes.')
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await terminal.question('Do it? Only "yes" counts: ')
  terminal.close()
  if (answer.trim() !== 'yes') throw new CommandError(4, 'Nothing was done.')
}

async function carryOut(session: PlanSession, settings: ApplySettings): Promise<ApplyResult> {
  const { client, plan, live, output } = session
  const progress = createProgress(plan, output)
  let isStopped = false
  const stop = () => {
    isStopped = true
    output.note('Stops after this request.')
  }
  process.once('SIGINT', stop).once('SIGTERM', stop)
  try {
    return await applyPlan(client, plan, live, {
      onStep: (step, outcome, message) => progress.report(step, outcome, message),
      onNote: output.note,
      onSecret: (address, secret) => keepSecret(address, secret, settings, session),
      isStopped: () => isStopped,
    })
  } finally {
    progress.end()
    process.off('SIGINT', stop).off('SIGTERM', stop)
  }
}

function keepSecret(
  address: string,
  secret: string,
  { secretsFile }: ApplySettings,
  { output }: PlanSession,
): void {
  if (secretsFile !== undefined)
    return appendPrivately(secretsFile, `${JSON.stringify({ address, secret })}\n`)
  if (process.stderr.isTTY)
    output.note(`${address}: its signing secret, shown this once: ${secret}`)
  else
    output.note(
      `${address}: its signing secret is not shown here. Pass --secrets-file, or rotate it.`,
    )
}

function report({ output }: PlanSession, result: ApplyResult, { json }: ApplySettings): void {
  const { done, failed, skipped, isStopped } = result
  if (json) output.print(toSafeJson(result, 'compact'))
  else if (done + failed + skipped > 0)
    output.print(`${done} done, ${failed} failed, ${skipped} left out.`)
  if (isStopped) throw new CommandError(1, 'interrupted. Apply again to continue.')
  if (failed + skipped > 0)
    throw new CommandError(1, 'not everything was done. Apply again to continue.')
}
