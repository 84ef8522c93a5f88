import type { ResponseOf } from '../api/contract.ts'
import { receiverTestText as TEXT } from '../messages/connections/receiver-test.ts'
import type { FieldSentences } from '../messages/field-problems.ts'
import { formatMs } from '../time/figures.ts'
import { FormProblems } from '../ui/field.tsx'
import { Mark } from '../ui/state.tsx'
import './trial-result.css'

type Result = ResponseOf<'POST /webhook-endpoint-trials'>

type ReceiverResultProps = {
  result: Result | undefined
  /** Why nothing was sent. Shown here, next to the button: the top of a long form is out of sight. */
  error: unknown
  sentences: FieldSentences
  isEmail?: boolean
  /** Whether the receiver could not verify the signature. */
  temporarySecret?: boolean
}

/** What the receiver responded, in plain words. */
export function ReceiverResult(props: ReceiverResultProps) {
  const { result, error, sentences, isEmail, temporarySecret } = props
  return (
    <div role="status">
      {error !== null && (
        <div className="trial">
          <FormProblems error={error} fields={sentences} />
        </div>
      )}
      {result && (
        <div className="trial">
          <div className={`live ${result.delivered ? 'is-up' : 'is-down'}`}>
            <div className="live-top">
              <Mark state={result.delivered ? 'UP' : 'DOWN'} />
              <div>
                <p>
                  <b className="strong">{headOf(result, isEmail)}</b>
                </p>
                {!result.delivered && (
                  <p className="wrap-any">{TEXT.reason(result.status, result.error)}</p>
                )}
                {temporarySecret && result.status !== null && (
                  <p className="hint">{TEXT.temporarySecret}</p>
                )}
              </div>
            </div>
            <ResponseText result={result} isEmail={isEmail} />
          </div>
        </div>
      )}
    </div>
  )
}

function headOf({ delivered, tookMs }: Result, isEmail: boolean | undefined): string {
  if (!delivered) return TEXT.failed
  return isEmail ? TEXT.accepted(formatMs(tookMs)) : TEXT.delivered(formatMs(tookMs))
}

type ResponseTextProps = { result: Result; isEmail: boolean | undefined }

function ResponseText({ result: { status, answer }, isEmail }: ResponseTextProps) {
  if (status === null && answer === null) return null
  return (
    <dl className="live-facts">
      <div>
        <dt>{TEXT.response}</dt>
        {status !== null && !isEmail && <dd>{TEXT.http(status)}</dd>}
        {answer !== null && <dd className="mono wrap-any">{answer}</dd>}
      </div>
    </dl>
  )
}
