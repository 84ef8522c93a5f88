import { importMonitors } from '../../actions/bulks/import-monitors.ts'
import type { OperationOutput } from '../../contract/operation.ts'
import * as contract from '../../contract/private/monitors/imports.ts'
import { MonitorCreate } from '../../contract/public/monitor.ts'
import { type ImportRow, importKey, readImport } from '../../domain/monitors/import-csv.ts'
import { targetOf } from '../../domain/monitors/list-order.ts'
import {
  distinctTagNames,
  MAX_TAGS_OF_MONITOR,
  tagNameProblems,
} from '../../domain/monitors/tag.ts'
import { intervalRefusal, type PlanLimits } from '../../domain/values/plan.ts'
import type { Problem } from '../../domain/values/problem.ts'
import { validationError } from '../../platform/api-error.ts'
import { findImportKeys } from '../../store/monitors/imported.ts'
import { findOrganizationUsage } from '../../store/people/organizations.ts'
import { Audited } from '../http/audited.ts'
import { type BoundOperation, bind, type Handler } from '../http/bind.ts'
import { compile, type Schema } from '../http/input/validation.ts'
import { createRules, toSettings } from '../public/monitors.ts'

const validate = compile(MonitorCreate as unknown as Schema)

const preview: Handler<typeof contract.previewMonitorImport> = async ({ body }, { tenant }) => {
  const { rows, ignored, problem } = readImport(body.csv)
  if (problem !== null) throw validationError([{ path: 'csv', message: problem }])
  const known = await findImportKeys(
    tenant,
    rows.map(({ draft }) => draft.name),
  )
  const { limits, used } = await findOrganizationUsage(tenant)
  const room = limits.monitors === null ? null : Math.max(0, limits.monitors - used.monitors)
  return { rows: rows.map((row) => toPreview(row, known, limits)), ignored, room }
}

type PreviewRow = OperationOutput<typeof contract.previewMonitorImport>['rows'][number]

/** Adds the row to `known`, so that the same row further down is recognized. */
function toPreview(row: ImportRow, known: Set<string>, limits: PlanLimits): PreviewRow {
  const { line, draft, tags } = row
  const problems = rowProblems(row, limits)
  const key = importKey(draft)
  const exists = problems.length === 0 && known.has(key)
  if (problems.length === 0) known.add(key)
  const { name, type } = draft
  return { line, name, type, target: shownTarget(draft), tags, problems, exists, monitor: draft }
}

/** The rules of creating a monitor, and those of tags. */
function rowProblems({ draft, tags, problems }: ImportRow, limits: PlanLimits): Problem[] {
  if (problems.length > 0) return problems
  const { value, problems: found } = validate(draft)
  const slow =
    found.length > 0 ? undefined : intervalRefusal(limits, Number(value['intervalSeconds']))
  const tooMany = tags.length > MAX_TAGS_OF_MONITOR
  return [
    ...(found.length > 0 ? found : createRules(value)),
    ...(slow === undefined ? [] : [{ path: 'intervalSeconds', message: slow }]),
    ...tags.flatMap((name) => tagNameProblems('tags', name)),
    ...(tooMany
      ? [{ path: 'tags', message: `must have at most ${MAX_TAGS_OF_MONITOR} tags` }]
      : []),
  ]
}

function shownTarget({ type, ...draft }: ImportRow['draft']): string | null {
  const text = (name: string) => (typeof draft[name] === 'string' ? draft[name] : null)
  const port = typeof draft['port'] === 'number' ? draft['port'] : null
  if (type === 'PORT' && port === null) return text('host')
  return targetOf({ type, url: text('url'), host: text('host'), port })
}

const run: Handler<typeof contract.importMonitors> = async ({ body }, { tx }) => {
  const rows = body.rows.map(({ line, monitor, tags }) => ({
    line,
    settings: toSettings(monitor),
    tags: distinctTagNames(tags),
  }))
  const output = await importMonitors(tx, rows)
  return new Audited(output, { count: output.created, verb: 'IMPORT' })
}

export const monitorImportOperations: readonly BoundOperation[] = [
  bind(contract.previewMonitorImport, preview),
  bind(contract.importMonitors, run, {
    rules: importRules,
  }),
]

function importRules({ rows }: Record<string, unknown>): Problem[] {
  if (!Array.isArray(rows)) return []
  return (rows as Record<string, unknown>[]).flatMap((row, at) => {
    const { monitor, tags } = row as { monitor?: Record<string, unknown>; tags?: unknown[] }
    const names = Array.isArray(tags) ? tags : []
    return [
      ...(monitor ? createRules(monitor) : []).map(({ path, message }) => ({
        path: `rows.${at}.monitor.${path}`,
        message,
      })),
      ...names.flatMap((name, index) => tagNameProblems(`rows.${at}.tags.${index}`, String(name))),
    ]
  })
}
