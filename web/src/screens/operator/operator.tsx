import { useQuery } from '@tanstack/react-query'
import { PATHS } from '../../../../src/domain/values/dashboard-paths.ts'
import { callApi } from '../../api/call.ts'
import { ApiProblem, isProblem } from '../../api/problem.ts'
import { operatorText as text } from '../../messages/operator.ts'
import { useShell } from '../../session/organization.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Empty, Loaded, Skeleton } from '../../ui/loading.tsx'
import { Page } from '../../ui/page.tsx'
import { Confirm } from './confirm.tsx'
import { Backups, Conditions, Queues, Storage } from './health.tsx'
import { EmailTest, Version } from './operations.tsx'
import { Probes, Processes } from './running.tsx'
import '../../ui/card.css'
import '../../ui/form.css'
import './operator.css'

const REFRESH_MS = 15_000

/** This installation. What was read stays while the person confirms that it is them. */
export function Operator() {
  const { me } = useShell()
  const read = useQuery({
    queryKey: ['operator', 'installation'],
    queryFn: () => callApi('GET /operator/installation', {}),
    // A refusal does not change by asking again.
    refetchInterval: ({ state }) => (state.error instanceof ApiProblem ? false : REFRESH_MS),
  })
  if (isProblem(read.error, 'forbidden'))
    return (
      <Page title={text.title} narrow>
        <section className="card">{me.person.isOperator ? <NoFactor /> : <NoOperator />}</section>
      </Page>
    )
  const isStale = isProblem(read.error, 'conflict')
  return (
    <Page title={text.title} about={text.about} narrow>
      {isStale && <Confirm isHeld={read.data !== undefined} onDone={() => void read.refetch()} />}
      {(!isStale || read.data !== undefined) && (
        <Loaded query={read} loading={<Loading />}>
          {(of) => (
            <div className="card">
              <Conditions of={of} />
              <Version of={of} />
              <Processes of={of.processes} />
              <Probes of={of.probes} />
              <Queues of={of} />
              <Storage of={of} />
              <Backups of={of.backup} now={of.readAt} />
              <EmailTest canMail={of.canMail} address={me.person.email} />
            </div>
          )}
        </Loaded>
      )}
    </Page>
  )
}

function NoOperator() {
  const { title, about, action } = text.refused
  return (
    <Empty title={title} action={<ButtonLink to={PATHS.monitors}>{action}</ButtonLink>}>
      {about}
    </Empty>
  )
}

function NoFactor() {
  const { title, about, action } = text.factor
  return (
    <Empty title={title} action={<ButtonLink to={PATHS.account}>{action}</ButtonLink>}>
      {about}
    </Empty>
  )
}

function Loading() {
  return (
    <div className="card">
      {[text.conditions.title, text.version.title, text.processes.title].map((title) => (
        <div className="form-grid" key={title}>
          <h2>{title}</h2>
          <div className="form-fields">
            <Skeleton width="40%" />
            <Skeleton width="80%" />
          </div>
        </div>
      ))}
    </div>
  )
}
