// The latest checks of an incident's monitor, by region.
import { incidentText } from '../../messages/incidents.ts'
import { formatMs } from '../../time/figures.ts'
import { type BarCell, Bars } from '../../ui/bars.tsx'
import { type State, StateLabel } from '../../ui/state.tsx'
import type { IncidentScreen } from './screen.ts'
import './incident.css'

const text = incidentText.regions

type Region = IncidentScreen['regions'][number]
type Verdict = Region['checks'][number]['verdict']

const APPEARANCES: Record<Verdict, { cell: BarCell; state: State; word: string }> = {
  PASSED: { cell: 'UP', state: 'UP', word: text.verdicts.up },
  SLOW: { cell: 'DEGRADED', state: 'DEGRADED', word: text.verdicts.degraded },
  FAILED: { cell: 'DOWN', state: 'DOWN', word: text.verdicts.down },
  INCONCLUSIVE: { cell: 'NONE', state: 'UNKNOWN', word: text.verdicts.noData },
  SUPERSEDED: { cell: 'NONE', state: 'UNKNOWN', word: text.verdicts.noData },
}
const GRID = { width: 5, gap: 3, height: 18 }

export function Regions({ regions }: { regions: readonly Region[] }) {
  if (regions.length === 0) return null
  return (
    <section className="card" aria-labelledby="regions">
      <header>
        <h2 id="regions">{text.title}</h2>
        <span className="hint">{text.about}</span>
      </header>
      <table className="table dense">
        <thead>
          <tr>
            <th>{text.region}</th>
            <th>{text.latest}</th>
            <th className="end">{text.response}</th>
            <th className="five">{text.order}</th>
          </tr>
        </thead>
        <tbody>
          {regions.map((region) => (
            <RegionRow key={region.region} region={region} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

function RegionRow({ region: { region, checks } }: { region: Region }) {
  const last = checks.at(-1)
  const look = last && APPEARANCES[last.verdict]
  const words = checks.map(({ verdict }) => APPEARANCES[verdict].word)
  return (
    <tr>
      <td className="truncate" title={region}>
        {region}
      </td>
      <td>
        {look && (
          <StateLabel
            state={look.state}
            word={last.httpStatus === null ? undefined : String(last.httpStatus)}
          />
        )}
      </td>
      <td className="num end">
        {last && last.responseMs !== null ? formatMs(last.responseMs) : '–'}
      </td>
      <td className="strip five">
        <Bars
          cells={checks.map(({ verdict }) => APPEARANCES[verdict].cell)}
          grid={GRID}
          label={`${region}: ${words.join(', ')}`}
        />
      </td>
    </tr>
  )
}
