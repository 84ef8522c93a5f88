import { writeFileSync } from 'node:fs'
import { findReview, writeComment } from '../as-code/act/comment.ts'
import {
  openSession,
  PLAN_OPTIONS,
  type PlanSession,
  refusalsOf,
  toPlanOptions,
} from '../as-code/act/session.ts'
import { isChange, type PlanOptions } from '../as-code/plan/plan.ts'
import { renderMarkdown, renderText } from '../as-code/plan/render-text.ts'
import { toPlanJson } from '../as-code/plan/saved-plan.ts'
import { CommandError, defineCommand, type Environment } from '../command.ts'
import { toSafeJson } from '../terminal/text.ts'

const CHANGES_PENDING = 3
const REFUSED = 4
const FORMATS = ['text', 'markdown', 'json']

export const plan = defineCommand({
  name: 'plan',
  summary: 'show what an apply of a configuration file would do',
  options: {
    ...PLAN_OPTIONS,
    format: {
      value: 'FORMAT',
      text: 'text (default), markdown for a pull request, or json',
      completion: FORMATS,
    },
    output: {
      value: 'FILE',
      short: 'o',
      text: 'save the plan; "upv apply --plan FILE" does exactly that, or nothing',
      completion: 'file',
    },
    comment: {
      text: 'in GitHub Actions and GitLab CI: write the plan as a comment, or update the last one',
    },
    'detailed-exitcode': {
      text: 'end with 3 if there is something to do',
    },
  },
  usesApi: true,
  printsJson: true,
  notes: [
    'A read-only key is enough, but it cannot compare secrets that the API never shows.',
    'It ends with 4 if an apply would be refused.',
  ],
  async run(call) {
    const { options } = call
    const format = options.json ? 'json' : (options.format ?? 'text')
    if (!FORMATS.includes(format))
      throw new CommandError(2, '--format must be text, markdown or json.')
    const wanted = toPlanOptions(options)
    const session = await openSession(call, wanted)
    show(session, wanted, format)
    if (options.output !== undefined) save(session, wanted, options.output)
    if (options.comment) await comment(session, call.env)
    const isPending = options['detailed-exitcode'] && session.plan.steps.some(isChange)
    if (refusalsOf(session.plan).length > 0) process.exitCode = REFUSED
    else if (isPending) process.exitCode = CHANGES_PENDING
  },
})

function show({ plan: made, output }: PlanSession, options: PlanOptions, format: string): void {
  if (format === 'json') output.print(toSafeJson(toPlanJson(made, options)))
  else output.print(format === 'markdown' ? renderMarkdown(made) : renderText(made))
}

async function comment({ plan: made, output }: PlanSession, env: Environment): Promise<void> {
  const place = findReview(env)
  if (place === undefined) throw new CommandError(2, '--comment: this is no pull or merge request.')
  await writeComment(place, made.source, output.hide(renderMarkdown(made)))
}

function save({ plan: made, output }: PlanSession, options: PlanOptions, file: string): void {
  writeFileSync(file, output.hide(`${toSafeJson(toPlanJson(made, options))}\n`))
  output.note(`Saved to ${file}.`)
}
