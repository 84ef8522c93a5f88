import { RefreshCw } from 'lucide-react'
import type { ResponseOf } from '../../api/contract.ts'
import { deliveryText as TEXT } from '../../messages/connections/webhooks.ts'
import { useMay } from '../../session/organization.ts'
import { toast } from '../../session/toast.ts'
import { useRead, useWrite } from '../../session/use-api.ts'
import { formatMs } from '../../time/figures.ts'
import { formatSpan } from '../../time/format.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { Loaded, Skeleton } from '../../ui/loading.tsx'
import { Mark } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import { toCurl } from './curl.ts'
import { responseLabel } from './delivery.ts'
import '../../ui/copy.css'
import './deliveries.css'

type Exchange = ResponseOf<'GET /overview/webhook-deliveries/{deliveryId}'>
type Attempt = Exchange['attempts'][number]

const WATCH_MS = 2_000

/** The request and response of each attempt. */
export function DeliveryDetail({ id }: { id: string }) {
  const exchange = useRead(
    'GET /overview/webhook-deliveries/{deliveryId}',
    { params: { deliveryId: id } },
    // A person who just retried it is waiting for the response.
    { refetchInterval: WATCH_MS },
  )
  return (
    <Loaded query={exchange} loading={<Waiting />}>
      {(data) => <Detail of={data} />}
    </Loaded>
  )
}

function Waiting() {
  return (
    <div className="stack ep-detail-wait" aria-hidden="true">
      <Skeleton width="50%" />
      <Skeleton width="70%" />
    </div>
  )
}

function Detail({ of }: { of: Exchange }) {
  const last = of.attempts.at(-1)
  return (
    <div className="stack">
      <ol className="attempts">
        {of.attempts.map((attempt, index) => (
          <AttemptLine key={attempt.id} of={attempt} before={of.attempts[index - 1]} />
        ))}
        {of.attempts.length === 0 && <li className="faint">{TEXT.noAttempt}</li>}
      </ol>
      <div className="split">
        <RequestPart of={of} timestamp={last?.timestamp} />
        <ResponsePart of={last} />
      </div>
      <SendAgain of={of} />
    </div>
  )
}

function AttemptLine({ of, before }: { of: Attempt; before: Attempt | undefined }) {
  const good = of.outcome === 'SUCCEEDED'
  const afterMs = before && Date.parse(of.startedAt) - Date.parse(before.startedAt)
  const when = afterMs === undefined ? TEXT.immediately : TEXT.after({ span: formatSpan(afterMs) })
  return (
    <li>
      <span className={good ? 'is-up attempt-mark' : 'is-down attempt-mark'}>
        <Mark state={good ? 'UP' : 'DOWN'} />
        <span className="sr">{good ? TEXT.delivered : TEXT.failed}</span>
      </span>
      <span className="num">
        <Time at={of.startedAt} as="seconds" />
      </span>
      <span>
        {TEXT.attempt({ number: of.number })}{' '}
        <span className="faint">{of.trigger === 'MANUAL' ? TEXT.manual : when}</span>
      </span>
      <span className="num" title={of.error ?? undefined}>
        {responseLabel(of.responseStatus, of.errorCode)}
      </span>
      <span className="num faint">{formatMs(of.durationMs)}</span>
    </li>
  )
}

function RequestPart({ of, timestamp }: { of: Exchange; timestamp: string | undefined }) {
  const { request } = of
  const headers = {
    ...request.headers,
    ...(timestamp !== undefined && { 'webhook-timestamp': timestamp }),
  }
  return (
    <div className="code">
      <div className="code-head">
        <span className="truncate">{TEXT.request}</span>
        <CopyButton text={toCurl({ ...request, headers })} label={TEXT.copyCurl} />
      </div>
      <pre tabIndex={0}>
        <span className="c">
          {request.method} {request.url}
        </span>
        {'\n'}
        {Object.entries(headers).map(([name, value]) => (
          <span key={name}>
            <span className="c">{name}:</span> {value}
            {'\n'}
          </span>
        ))}
        {'\n'}
        {pretty(request.body)}
      </pre>
    </div>
  )
}

function ResponsePart({ of }: { of: Attempt | undefined }) {
  if (of === undefined)
    return (
      <div className="code">
        <div className="code-head">{TEXT.response}</div>
        <pre className="c">{TEXT.nothing}</pre>
      </div>
    )
  const { responseStatus, responseBody, error, durationMs } = of
  const took = formatMs(durationMs)
  const title =
    responseStatus === null
      ? TEXT.noResponseIn({ duration: took })
      : TEXT.responseIn({ status: responseStatus, duration: took })
  return (
    <div className="code">
      <div className="code-head">
        <span className="truncate">{title}</span>
        {responseBody !== null && responseBody !== '' && <CopyButton text={responseBody} />}
      </div>
      <pre tabIndex={0}>
        {error !== null && (
          <span className="bad">
            {error}
            {'\n\n'}
          </span>
        )}
        {responseBody === null || responseBody === '' ? (
          <span className="c">{TEXT.noBody}</span>
        ) : (
          pretty(responseBody)
        )}
      </pre>
    </div>
  )
}

function SendAgain({ of }: { of: Exchange }) {
  const may = useMay('MEMBER')
  const retry = useWrite('POST /webhook-deliveries/{deliveryId}/retry', {
    onDone: () => toast(TEXT.sentAgain),
  })
  if (!may) return null
  return (
    <div className="row wrap">
      <Button
        size="sm"
        busy={retry.isPending}
        onClick={() => retry.mutate({ params: { deliveryId: of.id } })}
      >
        <RefreshCw className="icon" aria-hidden="true" />
        {TEXT.sendAgain}
      </Button>
      <span className="hint">{TEXT.sendAgainHint}</span>
    </div>
  )
}

/** Formats JSON; returns anything else as is. */
function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
