// An import of monitors: first a preview, then rounds until every row was handled.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { IMPORT_ROUND } from '../../../../src/domain/monitors/import-csv.ts'
import { callOrganizationApi } from '../../api/call.ts'
import type { InputOf, ResponseOf } from '../../api/contract.ts'
import { useOrganization } from '../../session/organization.ts'

export type Preview = ResponseOf<'POST /monitor-import-previews'>
type PreviewRow = Preview['rows'][number]
type Row = NonNullable<InputOf<'POST /monitor-imports'>['body']>['rows'][number]
type Refused = ResponseOf<'POST /monitor-imports'>['refused']

export type ImportState = {
  preview?: Preview
  busy: boolean
  error: unknown
  /** Rows that were handled so far. */
  done: number
  created: number
  refused: Refused
}

const START: ImportState = { busy: false, error: null, done: 0, created: 0, refused: [] }

/** Rows that would become monitors. */
export const readyRows = ({ rows }: Preview): PreviewRow[] =>
  rows.filter(({ problems, exists }) => problems.length === 0 && !exists)

export function useImport(onDone: (created: number) => void) {
  const { id } = useOrganization()
  const queries = useQueryClient()
  const [state, setState] = useState(START)

  async function check(csv: string): Promise<void> {
    setState({ ...START, busy: true })
    try {
      const preview = await callOrganizationApi(id, 'POST /monitor-import-previews', {
        body: { csv },
      })
      setState({ ...START, preview })
    } catch (error) {
      setState({ ...START, error })
    }
  }

  async function run(preview: Preview): Promise<void> {
    const rows = readyRows(preview)
    let now: ImportState = { ...START, preview, busy: true }
    setState(now)
    try {
      for (let from = 0; from < rows.length; from += IMPORT_ROUND) {
        const round = rows.slice(from, from + IMPORT_ROUND)
        const body = { rows: round.map(toRow) }
        const { created, refused } = await callOrganizationApi(id, 'POST /monitor-imports', {
          body,
        })
        now = {
          ...now,
          done: from + round.length,
          created: now.created + created,
          refused: [...now.refused, ...refused],
        }
        setState(now)
      }
      setState({ ...now, busy: false })
      if (now.refused.length === 0) onDone(now.created)
    } catch (error) {
      setState({ ...now, busy: false, error })
    }
    void queries.invalidateQueries({ queryKey: [id] })
  }

  return { state, check, run, reset: () => setState(START) }
}

// Safe because the server wrote it, and validates it again.
const toRow = ({ line, monitor, tags }: PreviewRow): Row => ({
  line,
  monitor: monitor as Row['monitor'],
  tags,
})
