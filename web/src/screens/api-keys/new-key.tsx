import { Download } from 'lucide-react'
import type { ResponseOf } from '../../api/contract.ts'
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
  const ends = expiresAt === null ? 'never expires' : `expires ${formatDay(expiresAt, now)}`
  const call = `curl ${window.location.origin}/api/v1/monitors \\\n  -H "X-API-Key: ${key}"`
  const file = `data:text/plain;charset=utf-8,${encodeURIComponent(`UPVANE_API_KEY=${key}\n`)}`
  return (
    <ShownOnce
      onClose={onClose}
      title={`Key “${name}” is ready`}
      about={`Copy it now. It is shown once; we keep only its fingerprint. ${note ?? ''}`}
      label="Secret key"
      secret={key}
      hint={`${accessLabel(access)} access, ${ends}. Never put it into browser code or a repository.`}
      beside={
        <a className="btn" href={file} download="upvane.env">
          <Download className="icon" aria-hidden="true" />
          Download as .env
        </a>
      }
    >
      <div className="field">
        <span className="row between">
          <span className="label">Try it</span>
          <CopyButton text={call} label="Copy curl" />
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
