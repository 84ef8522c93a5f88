// What an operator can start from here: a check for updates and a test email.
import { useMutation } from '@tanstack/react-query'
import { callApi } from '../../api/call.ts'
import type { ResponseOf } from '../../api/contract.ts'
import { operatorText } from '../../messages/operator.ts'
import { formatMs } from '../../time/figures.ts'
import { Button } from '../../ui/button.tsx'
import { FormProblems } from '../../ui/field.tsx'
import { StateLabel } from '../../ui/state.tsx'
import { Section } from './section.tsx'
import type { Installation } from './shown.ts'

export function Version({ of }: { of: Installation }) {
  const text = operatorText.version
  const check = useMutation({ mutationFn: () => callApi('POST /operator/update-checks', {}) })
  const found = check.data
  return (
    <Section title={text.title}>
      <div>
        {of.versions.map(({ version, processes }) => (
          <p key={version} className="num">
            {text.running({ version, processes })}
          </p>
        ))}
        {of.versions.length > 1 && <p className="hint">{text.several}</p>}
        {!of.canCheckForUpdate && <p className="hint">{text.off}</p>}
      </div>
      {of.canCheckForUpdate && (
        <>
          <div>
            <Button busy={check.isPending} onClick={() => check.mutate()}>
              {text.check}
            </Button>
          </div>
          <FormProblems error={check.error} fields={[]} />
          <div role="status">
            {found?.problem && <p className="wrap-any">{found.problem}</p>}
            {found?.newest && (
              <StateLabel
                state={found.isNewer ? 'EXPIRING' : 'UP'}
                word={found.isNewer ? text.newer({ version: found.newest }) : text.newest}
              />
            )}
          </div>
        </>
      )}
    </Section>
  )
}

type EmailTestProps = { canMail: boolean; address: string }

export function EmailTest({ canMail, address }: EmailTestProps) {
  const text = operatorText.email
  const test = useMutation({ mutationFn: () => callApi('POST /operator/mail-tests', {}) })
  const outcome = test.data
  return (
    <Section title={text.title}>
      <p className="wrap-any">{canMail ? text.to({ address }) : text.off}</p>
      {canMail && (
        <>
          <div>
            <Button busy={test.isPending} onClick={() => test.mutate()}>
              {text.action}
            </Button>
          </div>
          <FormProblems error={test.error} fields={[]} />
          <div role="status">{outcome && <Outcome of={outcome} />}</div>
        </>
      )}
    </Section>
  )
}

function Outcome({ of }: { of: ResponseOf<'POST /operator/mail-tests'> }) {
  const text = operatorText.email
  return (
    <>
      <StateLabel
        state={of.delivered ? 'UP' : 'DOWN'}
        word={of.delivered ? text.accepted : text.refused}
      />
      <p className="wrap-any">
        {of.error ?? text.inbox({ address: of.to })} {text.took({ ms: formatMs(of.tookMs) })}
      </p>
      {of.answer !== null && <p className="hint mono wrap-any">{of.answer}</p>}
    </>
  )
}
