// What runs: processes and probes.
import { operatorText } from '../../messages/operator.ts'
import { formatCount, formatMs } from '../../time/figures.ts'
import { StateLabel } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import { Section } from './section.tsx'
import type { Installation } from './shown.ts'

export function Processes({ of }: { of: Installation['processes'] }) {
  const text = operatorText.processes
  return (
    <Section title={text.title} about={text.about({ count: formatCount(of.total) })}>
      <ul className="installation-list">
        {of.data.map((one) => (
          <li key={`${one.name} ${one.startedAt}`}>
            <span className="row between">
              <span className="strong-2 wrap-any">{one.name}</span>
              <StateLabel
                state={one.isLive ? 'UP' : 'DOWN'}
                word={one.isLive ? text.live : text.gone}
              />
            </span>
            <span className="hint">
              {text.facts({ version: one.version, roles: one.roles.join(', ') })}
            </span>
            <span className="hint num">
              {text.started} <Time at={one.startedAt} as="minutesAgo" />, {text.seen}{' '}
              <Time at={one.seenAt} as="ago" none={text.notRecorded} />
            </span>
          </li>
        ))}
      </ul>
      <More total={of.total} shown={of.data.length} />
    </Section>
  )
}

export function Probes({ of }: { of: Installation['probes'] }) {
  const text = operatorText.probes
  const regions = [...Map.groupBy(of.data, ({ region }) => region)]
  return (
    <Section title={text.title} about={text.about}>
      {regions.length === 0 && <p>{text.none}</p>}
      <ul className="installation-list">
        {regions.map(([region, probes]) => (
          <li key={region}>
            <h3 className="wrap-any">{region}</h3>
            <ul>
              {probes.map((probe) => (
                <ProbeLine key={probe.name} of={probe} />
              ))}
            </ul>
          </li>
        ))}
      </ul>
      <More total={of.total} shown={of.data.length} />
    </Section>
  )
}

function ProbeLine({ of }: { of: Installation['probes']['data'][number] }) {
  const text = operatorText.probes
  return (
    <li>
      <span className="row between">
        <span className="strong-2 wrap-any">{of.name}</span>
        <StateLabel state={of.isLive ? 'UP' : 'DOWN'} word={of.isLive ? text.live : text.silent} />
      </span>
      <span className="hint num">
        {of.version !== null && `${text.version({ version: of.version })}, `}
        {of.lateMs !== null && `${text.late({ ms: formatMs(of.lateMs) })}, `}
        {text.seen} <Time at={of.lastSeenAt} as="ago" none={text.never} />
      </span>
    </li>
  )
}

function More({ total, shown }: { total: number; shown: number }) {
  if (total <= shown) return null
  return <p className="hint">{operatorText.processes.more({ count: total - shown })}</p>
}
