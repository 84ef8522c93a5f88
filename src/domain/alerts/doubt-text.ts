// What an alert says about outages that began while a region's own network was in doubt.
import type { AlertKind } from './alert.ts'

type DoubtContent = { kind: AlertKind; conditions: readonly { doubt?: object | null }[] }
/** How many monitors the organization has that are not paused. */
type DoubtContext = { monitors?: number }

const isDoubt = ({ kind, conditions }: DoubtContent) =>
  kind === 'DOWN' && conditions.every(({ doubt }) => doubt != null)

export function titleOfDoubt(
  content: DoubtContent,
  count: number,
  { monitors }: DoubtContext,
): string | undefined {
  if (!isDoubt(content) || monitors === undefined) return undefined
  return count >= monitors
    ? `No answer from any of your ${count} monitors`
    : `No answer from ${count} of your ${monitors} monitors`
}

/** Says what the reader must not expect: no message follows for the next monitors. */
export function doubtFacts(
  content: DoubtContent,
  { monitors = 1 }: DoubtContext,
): { label: string; value: string }[] {
  if (!isDoubt(content) || monitors === 1) return []
  const value =
    'No other public address answered either. Until one does, further monitors without an answer join this message'
  return [{ label: 'Network', value }]
}
