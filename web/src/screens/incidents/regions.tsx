// The latest checks of an incident's monitor, by region.
import { incidentText } from '../../messages/incidents.ts'
import { watchesExpiry } from '../../shared/expiry.ts'
import { formatMs } from '../../time/figures.ts'
import { type BarCell, Bars } from '../../ui/bars.tsx'
import { type State, StateLabel } from '../../ui/state.tsx'
import type { IncidentScreen } from './screen.ts'
import './incident.css'

const text = incidentText.regions

type Region = IncidentScreen['regions'][number]
type Verdict = Region['checks'][number]['verdict']

type Appearance = { cell: BarCell; state: State; word: string }

const APPEARANCES: Record<Verdict, Appearance> = {
  PASSED: { cell: 'UP', state: 'UP', word: text.verdicts.up },
  SLOW: { cell: 'DEGRADED', state: 'DEGRADED', word: text.verdicts.degraded },
  FAILED: { cell: 'DOWN', state: 'DOWN', word: text.verdicts.down },
  INCONCLUSIVE: { cell: 'NONE', state: 'UNKNOWN', word: text.verdicts.noData },
  SUPERSEDED: { cell: 'NONE', state: 'UNKNOWN', word: text.verdicts.noData },
}
/** Of a certificate or a registration, which is never slow. */
const EXPIRING: Appearance = {
  cell: 'EXPIRING',
  state: 'EXPIRING',
  word: text.verdicts.expiring,
}
const GRID = { width: 5, gap: 3, height: 18 }

function appearanceOf(verdict: Verdict, type: string) {
  return verdict === 'SLOW' && watchesExpiry(type) ? EXPIRING : APPEARANCES[verdict]
}

type Props = { regions: readonly Region[]; type: string }

export function Regions({ regions, type }: Props) {
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
            <RegionRow key={region.region} region={region} type={type} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

function RegionRow({ region: { region, checks }, type }: { region: Region; type: string }) {
  const last = checks.at(-1)
  const look = last && appearanceOf(last.verdict, type)
  const words = checks.map(({ verdict }) => appearanceOf(verdict, type).word)
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
          cells={checks.map(({ verdict }) => appearanceOf(verdict, type).cell)}
          grid={GRID}
          label={`${region}: ${words.join(', ')}`}
        />
      </td>
    </tr>
  )
}
