import { useQuery } from '@tanstack/react-query'
import { meQuery, signInStatusQuery } from '../../api/queries.ts'
import { settingsText } from '../../messages/settings.ts'
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
        <h2>{settingsText.email}</h2>
        <p>{settingsText.usedForAlertsInvitations}</p>
      </div>
      <div className="form-fields">
        {canMail ? (
          <p className="wrap-any">
            {me.data
              ? settingsText.sendsTo({ address: me.data.person.email })
              : settingsText.sendsToYou}
          </p>
        ) : (
          <p>
            {settingsText.notSetUp({
              url: <code className="mono">SMTP_URL</code>,
              from: <code className="mono">SMTP_FROM</code>,
            })}
          </p>
        )}
        <div>
          <Button
            busy={test.isPending}
            whyNot={canMail ? undefined : settingsText.noMailServer}
            onClick={() => test.mutate({})}
          >
            {settingsText.sendTestEmail}
          </Button>
        </div>
        <FormProblems error={test.error} fields={[]} />
        <div role="status">
          {outcome && (
            <>
              <StateLabel
                state={outcome.delivered ? 'UP' : 'DOWN'}
                word={outcome.delivered ? 'Accepted by the mail server' : 'Not sent'}
              />
              <p className="wrap-any">
                {outcome.error ?? `Check the inbox of ${outcome.to}.`}
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
