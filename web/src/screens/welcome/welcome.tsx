// Onboarding: one monitor, one alert contact, a status page, and an API key.
import { Link, useLocation } from '@tanstack/react-router'
import { Check } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { PATHS } from '../../../../src/domain/values/dashboard-paths.ts'
import { welcomeText } from '../../messages/entry/welcome.ts'
import { useMay } from '../../session/organization.ts'
import { useRead } from '../../session/use-api.ts'
import { useAddress } from '../../ui/address.ts'
import { Failed } from '../../ui/loading.tsx'
import { Page } from '../../ui/page.tsx'
import { StateLabel } from '../../ui/state.tsx'
import { ContactStep } from './contact-step.tsx'
import { KeyStep } from './key-step.tsx'
import { MonitorStep } from './monitor-step.tsx'
import { PageStep } from './page-step.tsx'
import { Preview } from './preview.tsx'
import { type CreatedItems, STEPS, type StepName, useCreated } from './use-created.ts'
import './welcome.css'

// The first check runs at once; this polling is for a page whose stream was cut.
const WAIT_MS = 2000
const ADDRESS = { step: '', url: '' }
const END = 'end'

export function Welcome() {
  const known = useCreated()
  if (known.failed)
    return (
      <Frame state={undefined}>
        <Failed error={known.failed.error} retry={() => void known.failed?.refetch()} />
      </Frame>
    )
  return known.isPending ? <Frame state={undefined} /> : <Steps {...known} />
}

type StepsProps = Pick<ReturnType<typeof useCreated>, 'made' | 'contacts'>

function Steps({ made, contacts }: StepsProps) {
  // Items created here carry more detail than what the server returns.
  const [own, setOwn] = useState<CreatedItems>({})
  const done = { ...made, ...own }
  const steps = useMay('ADMIN') ? STEPS : STEPS.filter((one) => one === 'monitor' || one === 'page')
  const [address, go] = useAddress(ADDRESS)
  const typed = useLocation({ select: ({ state }) => state.firstUrl ?? '' })
  const named = stepIndexOf(address.step, steps)
  const open = steps.findIndex((one) => made[one] === undefined)
  const at = named ?? (open < 0 ? steps.length : open)
  const goTo = (place: number) => go({ step: steps[place] ?? END, url: '' }, { replace: true })
  // Pin the step in the URL at once: creating its item must not close a step that still has something to show.
  useEffect(() => {
    if (named === undefined) goTo(at)
  })
  const skip = () => goTo(at + 1)
  const finish = (part: CreatedItems) => {
    setOwn({ ...own, ...part })
    skip()
  }
  const monitorId = done.monitor?.id
  const state = useFirstState(monitorId)
  const bodies: Record<StepName, ReactNode> = {
    monitor: (
      <MonitorStep
        start={typed === '' ? address.url : typed}
        isAsked={typed !== ''}
        onDone={(monitor) => finish({ monitor })}
      />
    ),
    contact: (
      <ContactStep contacts={contacts} onDone={(contact) => finish({ contact })} onSkip={skip} />
    ),
    page: <PageStep monitorId={monitorId} onDone={(page) => finish({ page })} onSkip={skip} />,
    key: <KeyStep onDone={() => finish({ key: true })} onSkip={skip} />,
  }
  return (
    <Frame state={state}>
      <div className="run">
        <div>
          <ol className="steps">
            {steps.map((step, index) => (
              <Step
                key={step}
                no={index + 1}
                title={welcomeText[step].title}
                about={welcomeText[step].about}
                at={at - index}
                sum={<Sum step={step} done={done} state={state} />}
              >
                {bodies[step]}
              </Step>
            ))}
          </ol>
          {at >= steps.length ? (
            <End />
          ) : (
            <Link to={PATHS.monitors} className="btn ghost">
              {welcomeText.skipRest}
            </Link>
          )}
        </div>
        <Preview monitor={done.monitor?.name} state={state} isPublic={done.page !== undefined} />
      </div>
    </Frame>
  )
}

/** By the URL; undefined if it names none of these steps. */
function stepIndexOf(step: string, steps: readonly StepName[]): number | undefined {
  if (step === END) return steps.length
  const index = steps.findIndex((one) => one === step)
  return index < 0 ? undefined : index
}

type State = ReturnType<typeof useFirstState>

function Frame({ state, children }: { state: State; children?: ReactNode }) {
  return (
    <Page
      title={state === 'UP' ? welcomeText.titleUp : welcomeText.title}
      about={welcomeText.about}
    >
      {children}
    </Page>
  )
}

function End() {
  const link = useRef<HTMLAnchorElement>(null)
  useEffect(() => link.current?.focus(), [])
  return (
    <Link ref={link} to={PATHS.monitors} className="btn primary lg">
      {welcomeText.end}
    </Link>
  )
}

/** The state of the new monitor, until its first check. */
function useFirstState(monitorId: string | undefined) {
  const { data } = useRead(
    'GET /monitors/{monitorId}',
    { params: { monitorId: monitorId ?? '' } },
    { enabled: monitorId !== undefined, refetchInterval: WAIT_MS },
  )
  return data?.state
}

type SumProps = { step: StepName; done: CreatedItems; state: State }

function Sum({ step, done, state }: SumProps) {
  if (step === 'monitor')
    return (
      <span className="row wrap">
        {done.monitor?.name} {state !== undefined && <StateLabel state={state} />}
      </span>
    )
  if (step === 'key') return done.key ? welcomeText.key.created : welcomeText.skipped
  if (step === 'page' && done.page !== undefined)
    return (
      <a className="link" href={done.page} target="_blank" rel="noreferrer">
        {done.page}
      </a>
    )
  return done[step] ?? welcomeText.skipped
}

type StepProps = {
  no: number
  title: string
  about: string
  at: number
  sum: ReactNode
  children: ReactNode
}

/** `at`: the current step's number minus this one's. 0 is current, positive is done. */
function Step({ no, title, about, at, sum, children }: StepProps) {
  const isNow = at === 0
  const isDone = at > 0
  const element = useRef<HTMLLIElement>(null)
  // The focused element disappeared with the previous step.
  useEffect(() => {
    if (isNow) element.current?.querySelector<HTMLElement>('input, button')?.focus()
  }, [isNow])
  return (
    <li
      ref={element}
      className={`step ${isNow ? 'now' : ''} ${isDone ? 'done' : ''}`}
      aria-current={isNow ? 'step' : undefined}
    >
      <span className="no" aria-hidden="true">
        {isDone ? <Check className="icon sm" /> : no}
      </span>
      <div className="step-body">
        <h2>{title}</h2>
        {!isNow && <div className="sum">{isDone ? sum : about}</div>}
        {isNow && children}
      </div>
    </li>
  )
}
