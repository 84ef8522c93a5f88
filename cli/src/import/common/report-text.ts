// The report for people: counts, then what needs their attention.
import type { ImportReport, ReportedItem } from './report.ts'

const MAX_LINES = 40

export function toReportLines({ counts, items, additions, variables }: ImportReport): string[] {
  const kinds = Object.entries(counts).filter(([, { total }]) => total > 0)
  const notTaken = items.filter(({ outcome }) => outcome === 'not taken')
  const changed = items.filter(({ outcome }) => outcome === 'changed')
  return [
    ...kinds.map(
      ([kind, { total, mapped, changed: some, notTaken: none }]) =>
        `${`${kind}:`.padEnd(20)} ${total} = ${mapped} mapped + ${some} changed + ${none} not taken`,
    ),
    ...(additions.length > 0 ? [`${'also created:'.padEnd(20)} ${additions.length}`] : []),
    ...listed('Not taken:', notTaken),
    ...listed('Changed:', changed),
    ...(variables.length > 0
      ? [
          '',
          `The file needs ${variables.length} environment variable${variables.length === 1 ? '' : 's'}.`,
        ]
      : []),
  ]
}

function listed(title: string, items: readonly ReportedItem[]): string[] {
  if (items.length === 0) return []
  const lines = items.slice(0, MAX_LINES).map((item) => `  ${item.name}: ${reasonOf(item)}`)
  const rest = items.length - lines.length
  return ['', title, ...lines, ...(rest > 0 ? [`  and ${rest} more, in the report`] : [])]
}

function reasonOf(item: ReportedItem): string {
  if (item.outcome === 'not taken') return item.why
  if (item.outcome === 'mapped') return item.became
  const [first] = item.changes
  const more = item.changes.length - 1
  const text =
    first === undefined ? '' : `${first.field} ${first.from} -> ${first.to}. ${first.why}`
  return more > 0 ? `${text} (and ${more} more)` : text
}
