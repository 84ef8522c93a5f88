// The first minutes: one address watched, somebody told, a page for readers, a key for programs.
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useMay } from '../../shell/organization.ts'
import { Page } from '../../ui/page.tsx'
import { ContactStep } from './contact-step.tsx'
import { KeyStep } from './key-step.tsx'
import { type FirstMonitor, MonitorStep } from './monitor-step.tsx'
import { PageStep } from './page-step.tsx'
import '../../styles/monitor-form.css'
import '../../styles/welcome.css'

type Done = { monitor?: FirstMonitor; contact?: string; page?: string; key?: true }
const STEPS = ['monitor', 'contact', 'page', 'key'] as const

export function Welcome() {
  const [done, setDone] = useState<Done>({})
  const [at, setAt] = useState(0)
  const isAdmin = useMay('ADMIN')
  const finish = (part: Done) => {
    setDone({ ...done, ...part })
    setAt(at + 1)
  }
  const skip = () => setAt(at + 1)
  const monitorId = done.monitor?.id
  const bodies: Record<(typeof STEPS)[number], ReactNode> = {
    monitor: <MonitorStep onDone={(monitor) => finish({ monitor })} />,
    contact: <ContactStep onDone={(contact) => finish({ contact })} onSkip={skip} />,
    page: <PageStep monitorId={monitorId} onDone={(page) => finish({ page })} onSkip={skip} />,
    key: <KeyStep onDone={() => finish({ key: true })} onSkip={skip} />,
  }
  const steps = isAdmin ? STEPS : STEPS.filter((step) => step === 'monitor' || step === 'page')
  return (
    <Page title="Start here" about="About a minute. What you skip can be done later." narrow>
      <ol className="steps">
        {steps.map((step, index) => (
          <Step
            key={step}
            no={index + 1}
            title={TITLES[step]}
            at={at - index}
            sum={sumOf(step, done)}
          >
            {bodies[step]}
          </Step>
        ))}
      </ol>
      {at >= steps.length && (
        <Link to="/monitors" className="btn primary lg welcome-end">
          Go to the monitors
        </Link>
      )}
    </Page>
  )
}

const TITLES = {
  monitor: 'What should be watched?',
  contact: 'Who is told when it breaks?',
  page: 'A status page for your readers',
  key: 'A key for your programs',
}

function sumOf(step: (typeof STEPS)[number], done: Done): string {
  if (step === 'monitor') return done.monitor?.name ?? ''
  if (step === 'key') return done.key ? 'Made' : 'Skipped'
  return done[step] ?? 'Skipped'
}

type StepProps = { no: number; title: string; at: number; sum: string; children: ReactNode }

/** `at`: how far the way is beyond this step; 0 is here. */
function Step({ no, title, at, sum, children }: StepProps) {
  const isNow = at === 0
  const isDone = at > 0
  return (
    <li
      className={`step ${isNow ? 'now' : ''} ${isDone ? 'done' : ''}`}
      aria-current={isNow ? 'step' : undefined}
    >
      <span className="no" aria-hidden="true">
        {isDone ? '✓' : no}
      </span>
      <div className="step-body">
        <h2>{title}</h2>
        {isDone && <p className="sum">{sum}</p>}
        {isNow && children}
      </div>
    </li>
  )
}
