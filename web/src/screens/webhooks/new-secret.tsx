import type { ResponseOf } from '../../api/contract.ts'
import { endpointText, webhooksText } from '../../messages/connections/webhooks.ts'
import { formatMoment } from '../../time/format.ts'
import { useNow } from '../../time/use-now.ts'
import { ShownOnce } from '../../ui/shown-once.tsx'

const TEXT = endpointText.newSecret

type NewSecretProps = { of: ResponseOf<'POST /webhook-endpoints'>; onClose: () => void }

/** The only time a signing secret is shown. */
export function NewSecret({ of, onClose }: NewSecretProps) {
  const now = useNow(60_000)
  const { secret, url, previousSecretExpiresAt: until } = of
  return (
    <ShownOnce
      onClose={onClose}
      title={until === null ? TEXT.endpointReady : TEXT.secretReady}
      about={until === null ? TEXT.about : TEXT.aboutRotated({ until: formatMoment(until, now) })}
      label={TEXT.label}
      secret={secret}
      hint={
        <>
          {TEXT.hint} <span className="mono wrap-any">{url}</span>.{' '}
          <a className="link" href="/docs" target="_blank" rel="noreferrer">
            {webhooksText.howToVerify}
          </a>
        </>
      }
    />
  )
}
