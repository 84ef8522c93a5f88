import { useQuery } from '@tanstack/react-query'
import { meQuery, signInStatusQuery } from '../../api/queries.ts'
import { useWrite } from '../../session/use-api.ts'
import { formatCount } from '../../time/figures.ts'
import { Button } from '../../ui/button.tsx'
import { FormProblems } from '../../ui/field.tsx'
import { StateLabel } from '../../ui/state.tsx'
import '../../ui/form.css'

/** Sends an email to the person and shows the relay's response. */
export function EmailTest() {
  const standing = useQuery(signInStatusQuery)
  const me = useQuery(meQuery)
  const test = useWrite('POST /mail-tests', { inForm: true })
  const canMail = standing.data?.canMail ?? true
  const outcome = test.data
  return (
    <div className="form-grid">
      <div>
        <h2>Mail</h2>
        <p>Alerts, invitations and notices to subscribers go through one relay.</p>
      </div>
      <div className="form-fields">
        {canMail ? (
          <p className="wrap-any">
            One mail to {me.data?.person.email ?? 'you'}, to see that it arrives.
          </p>
        ) : (
          <p>
            No mail is sent from here. Whoever runs this installation sets{' '}
            <code className="mono">SMTP_URL</code> and <code className="mono">SMTP_FROM</code>, and
            starts it again.
          </p>
        )}
        <div>
          <Button
            busy={test.isPending}
            whyNot={canMail ? undefined : 'No relay is configured.'}
            onClick={() => test.mutate({})}
          >
            Send a test mail
          </Button>
        </div>
        <FormProblems error={test.error} fields={[]} />
        <div role="status">
          {outcome && (
            <>
              <StateLabel
                state={outcome.delivered ? 'UP' : 'DOWN'}
                word={outcome.delivered ? 'The relay took it' : 'It was not sent'}
              />
              <p className="wrap-any">
                {outcome.error ?? `Look into the mailbox of ${outcome.to}.`}
                {` (${formatCount(outcome.tookMs)} ms)`}
              </p>
              {outcome.answer !== null && <p className="hint mono wrap-any">{outcome.answer}</p>}
            </>
          )}
        </div>
      </div>
    </div>
  )
}
