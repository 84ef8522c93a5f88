// A plan for people, at a terminal or in a pull request. Nothing hidden is in it.
import { clean, paint } from '../../terminal/text.ts'
import {
  type ConfigPlan,
  countSteps,
  type Drift,
  estimateRequests,
  isChange,
  type PlannedStep,
} from './plan.ts'
import { keysOf, renderChange, renderNew, showChange } from './shown-changes.ts'

const REQUESTS_PER_MINUTE = 120
const MARKS = {
  create: '+',
  update: '~',
  none: ' ',
  skip: ' ',
  keep: '=',
  pause: '-',
  delete: '-',
  forget: '-',
} as const
const COLORS = { '+': 'green', '~': 'yellow', '-': 'red' } as const

export function renderText(plan: ConfigPlan): string {
  const lines = stepLines(plan).map(colored)
  const refusals = plan.refusals.map((text) => paint('red', `  ! ${clean(text)}`))
  return [...lines, ...refusals, `  ${renderSummary(plan)}`].join('\n')
}

/** Markdown for a comment on a pull request. */
export function renderMarkdown(plan: ConfigPlan): string {
  const lines = stepLines(plan)
  const refusals = plan.refusals.map((text) => `! ${clean(text)}`)
  const body = [...lines, ...refusals].map((line) => line.replaceAll('```', "'''"))
  return [
    `### Upvane: ${clean(plan.source)}`,
    '',
    renderSummary(plan),
    ...(body.length === 0 ? [] : ['', '```diff', ...body, '```']),
  ].join('\n')
}

function renderSummary(plan: ConfigPlan): string {
  const { create, change, remove, keep, unchanged } = countSteps(plan)
  const refused = plan.steps.filter(({ refusal }) => refusal !== null).length
  const requests = estimateRequests(plan)
  return [
    `${create} to create, ${change} to change, ${remove} to remove, ${unchanged} unchanged`,
    ...(keep > 0 ? [`${keep} kept`] : []),
    ...(refused > 0 ? [`${refused} refused`] : []),
    ...(requests > 0
      ? [`about ${requests} requests, ${renderDuration(secondsFor(requests))}`]
      : []),
  ].join(', ')
}

/** The first window of the rate limit is free, every other takes a minute. */
export function secondsFor(requests: number): number {
  return (
    Math.floor(requests / REQUESTS_PER_MINUTE) * 60 +
    Math.ceil((requests % REQUESTS_PER_MINUTE) / 20)
  )
}

export function renderDuration(seconds: number): string {
  if (seconds < 60) return `${seconds} s`
  return seconds % 60 === 0
    ? `${seconds / 60} min`
    : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

function isWorthALine(step: PlannedStep): boolean {
  return isChange(step) || step.refusal !== null || step.action === 'keep' || step.notes.length > 0
}

function stepLines({ steps }: ConfigPlan): string[] {
  const shown = steps.filter(isWorthALine)
  const width = Math.max(0, ...shown.map(({ address }) => address.length))
  const keys = keysOf(steps)
  return shown.flatMap((step) => {
    const render = step.action === 'create' ? renderNew : renderChange
    const changes = step.changes.map((change) => clean(render(showChange(change, keys))))
    return linesOf(step, width, changes)
  })
}

function colored(line: string): string {
  const mark = line.slice(0, 1)
  const isKnown = mark === '+' || mark === '~' || mark === '-'
  return `  ${isKnown ? paint(COLORS[mark], line) : line}`
}

function linesOf(step: PlannedStep, width: number, changes: readonly string[]): string[] {
  const { action, address, id, name, notes, refusal } = step
  const mark = refusal === null ? MARKS[action] : '!'
  const what = action === 'create' ? `create ${name}` : `${id ?? ''} ${actionText(step)}`
  const head = `${mark} ${address.padEnd(width)}  ${clean(what).trim()}`.trimEnd()
  const more = [
    ...changes,
    ...(step.drift === null ? [] : [renderDrift(step.drift)]),
    ...notes.map(clean),
    ...(refusal === null ? [] : [`refused: ${clean(refusal)}`]),
  ]
  return [head, ...more.map((text) => `${mark}     ${text}`)]
}

function actionText({ action, changes, name }: PlannedStep): string {
  if (action === 'update') return changes.length === 0 ? 'bind' : `change ${name}`
  if (action === 'forget') return 'is gone: forget it'
  if (action === 'keep') return `keep ${name}`
  return action === 'none' || action === 'skip' ? name : `${action} ${name}`
}

function renderDrift({ at, by }: Drift): string {
  const when = at === null ? '' : ` on ${at.slice(0, 10)}`
  const who = by === null ? '' : ` by ${clean(by)}`
  const last = `${when}${who}`
  return `drift: changed outside of this file${last === '' ? '' : `, last${last}`}`
}
