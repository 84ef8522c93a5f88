import { Download } from 'lucide-react'
import type { ResponseOf } from '../../api/contract.ts'
import { newKeyText as TEXT } from '../../messages/connections/api-keys.ts'
import { formatDay } from '../../time/format.ts'
import { useNow } from '../../time/use-now.ts'
import { CopyButton } from '../../ui/copy.tsx'
import { ShownOnce } from '../../ui/shown-once.tsx'
import { accessLabel } from './key.ts'
import '../../ui/copy.css'

type NewKeyProps = {
  created: ResponseOf<'POST /keys'>
  note?: string | undefined
  onClose: () => void
}

/** The only time a key is shown. */
export function NewKey({ created, note, onClose }: NewKeyProps) {
  const now = useNow(60_000)
  const { key, name, access, expiresAt } = created
  const ends =
    expiresAt === null ? TEXT.neverExpires : TEXT.expires({ day: formatDay(expiresAt, now) })
  const call = `curl ${window.location.origin}/api/v1/monitors \\\n  -H "X-API-Key: ${key}"`
  const file = `data:text/plain;charset=utf-8,${encodeURIComponent(`UPVANE_API_KEY=${key}\n`)}`
  return (
    <ShownOnce
      onClose={onClose}
      title={TEXT.title({ name })}
      about={`${TEXT.about} ${note ?? ''}`}
      label={TEXT.label}
      secret={key}
      hint={TEXT.hint({ access: accessLabel(access), expires: ends })}
      beside={
        <a className="btn" href={file} download="upvane.env">
          <Download className="icon" aria-hidden="true" />
          {TEXT.download}
        </a>
      }
    >
      <div className="field">
        <span className="row between">
          <span className="label">{TEXT.tryIt}</span>
          <CopyButton text={call} label={TEXT.copyCurl} />
        </span>
        <div className="code">
          <pre className="wrap" tabIndex={0}>
            {call}
          </pre>
        </div>
      </div>
    </ShownOnce>
  )
}
