import { useState } from 'react'
import { ledgerText as TEXT } from '../../../messages/publishing/status-page-editor.ts'
import { useMay } from '../../../session/organization.ts'
import { toast } from '../../../session/toast.ts'
import { useRead, useWrite } from '../../../session/use-api.ts'
import { formatMoment } from '../../../time/format.ts'
import { useNow } from '../../../time/use-now.ts'
import { Choice } from '../../../ui/field.tsx'
import type { StatusPageView } from '../page.ts'
import { PartCard } from './fields.tsx'

/** Saved at once: it is no setting of the page in the API. */
export function Ledger({ page: { id: statusPageId } }: { page: StatusPageView }) {
  const now = useNow(60_000)
  const may = useMay('MEMBER')
  const ledger = useRead('GET /status-pages/{statusPageId}/ledger', { params: { statusPageId } })
  const save = useWrite('PUT /status-pages/{statusPageId}/ledger', {
    onDone: ({ since }) => toast(since === null ? TEXT.hidden : TEXT.shown),
  })
  // The switch turns at once and never flips back: what was saved counts until it is read again.
  const [chosen, setChosen] = useState<boolean>()
  const since = (save.data ?? ledger.data)?.since ?? null
  const choose = (shown: boolean) => {
    setChosen(shown)
    const input = { params: { statusPageId }, body: { shown } }
    save.mutate(input, { onSettled: () => setChosen(undefined) })
  }
  return (
    <PartCard id="ledger">
      <Choice
        as="switch"
        checked={chosen ?? since !== null}
        disabled={!may || ledger.data === undefined}
        onChange={choose}
        label={TEXT.label}
        hint={since === null ? TEXT.hint : TEXT.since({ moment: formatMoment(since, now) })}
      />
    </PartCard>
  )
}
