import type { ResponseOf } from '../../api/contract.ts'
import { formatMoment } from '../../time/format.ts'
import { useNow } from '../../time/use-now.ts'
import { ShownOnce } from '../../ui/shown-once.tsx'

type NewSecretProps = { of: ResponseOf<'POST /webhook-endpoints'>; onClose: () => void }

/** The only time a signing secret is shown. */
export function NewSecret({ of, onClose }: NewSecretProps) {
  const now = useNow(60_000)
  const { secret, url, previousSecretExpiresAt: until } = of
  return (
    <ShownOnce
      onClose={onClose}
      title={until === null ? 'The endpoint is ready' : 'The new secret is ready'}
      about={
        until === null
          ? 'Copy its signing secret now: it is shown once.'
          : `Copy it now: it is shown once. Both secrets sign until ${formatMoment(until, now)}.`
      }
      label="Signing secret"
      secret={secret}
      hint={
        <>
          Your receiver at <span className="mono wrap-any">{url}</span> checks signatures with it.{' '}
          <a className="link" href="/docs" target="_blank" rel="noreferrer">
            How to verify a signature
          </a>
        </>
      }
    />
  )
}
