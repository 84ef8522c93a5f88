import { useState } from 'react'
import type { ResponseOf } from '../../api/contract.ts'
import { settingsText } from '../../messages/settings.ts'
import { useMay } from '../../session/organization.ts'
import { toast } from '../../session/toast.ts'
import { useRead, useWrite } from '../../session/use-api.ts'
import { Button } from '../../ui/button.tsx'
import { FormProblems, fieldsOf } from '../../ui/field.tsx'
import { SelectInput } from '../../ui/inputs.tsx'
import { Loaded, Skeleton } from '../../ui/loading.tsx'
import { StateLabel } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import '../../ui/form.css'
import './settings.css'

type Regions = ResponseOf<'GET /regions'>
type Region = Regions['data'][number]
type Probe = Region['probes'][number]

const REFRESH_MS = 15_000
const AUTOMATIC = ''

/** The regions, the last report of each probe, and the home region, where checks start. */
export function RegionSettings() {
  const regions = useRead('GET /regions', {}, { refetchInterval: REFRESH_MS })
  const may = useMay('ADMIN')
  return (
    <div className="form-grid">
      <div>
        <h2>{settingsText.regions}</h2>
        <p>{settingsText.whereYourChecksRun}</p>
      </div>
      <div className="form-fields">
        <Loaded query={regions} loading={<RegionsLoading />}>
          {(data) => (
            <>
              {may ? <HomeForm of={data} key={data.home} /> : <Home of={data} />}
              <RegionList of={data} />
            </>
          )}
        </Loaded>
      </div>
    </div>
  )
}

/** As high as the form and one region, so that what follows does not move. */
function RegionsLoading() {
  return (
    <div className="regions-wait">
      <Skeleton width="60%" />
    </div>
  )
}

function Home({ of }: { of: Regions }) {
  return (
    <p className="wrap-any">
      {of.home === null ? settingsText.automaticHome : settingsText.home({ name: of.home })}
    </p>
  )
}

function HomeForm({ of }: { of: Regions }) {
  const [home, setHome] = useState(of.home ?? AUTOMATIC)
  const save = useWrite('PATCH /home-region', {
    inForm: true,
    onDone: () => toast('Home region saved'),
  })
  const at = fieldsOf(save.error)
  const options = of.data.map(({ name }) => ({ value: name, label: name }))
  return (
    <form
      className="form-fields"
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate({ body: { region: home === AUTOMATIC ? null : home } })
      }}
    >
      <FormProblems error={save.error} fields={['region']} />
      <SelectInput
        label={settingsText.homeRegion}
        value={home}
        onChange={setHome}
        options={[{ value: AUTOMATIC, label: 'Automatic' }, ...options]}
        problem={at('region')}
        hint={settingsText.checksStartHereAnd}
      />
      <div>
        <Button
          type="submit"
          busy={save.isPending}
          whyNot={home === (of.home ?? AUTOMATIC) ? 'Nothing to save.' : undefined}
        >
          {settingsText.saveHomeRegion}
        </Button>
      </div>
    </form>
  )
}

function RegionList({ of }: { of: Regions }) {
  if (of.data.length === 0) return <p>{settingsText.noProbeHasReported}</p>
  return (
    <ul className="regions">
      {of.data.map((region) => (
        <li key={region.name}>
          <h3 className="wrap-any">{region.name}</h3>
          <ul>
            {region.probes.map((probe) => (
              <ProbeLine key={probe.name} of={probe} />
            ))}
          </ul>
        </li>
      ))}
    </ul>
  )
}

function ProbeLine({ of }: { of: Probe }) {
  return (
    <li className="probe">
      <span className="row between">
        <span className="strong-2 wrap-any">{of.name}</span>
        <ProbeState of={of} />
      </span>
      <span className="hint num">{lastReport(of)}</span>
    </li>
  )
}

function lastReport({ version, lateMs, lastSeenAt }: Probe) {
  const ago = <Time at={lastSeenAt} as="ago" none="never" />
  if (version === null)
    return lateMs === null
      ? settingsText.seen({ ago })
      : settingsText.seenLate({ late: lateMs, ago })
  return lateMs === null
    ? settingsText.seenVersion({ version, ago })
    : settingsText.seenVersionLate({ version, late: lateMs, ago })
}

function ProbeState({ of }: { of: Probe }) {
  if (of.isRevoked) return <StateLabel state="UNKNOWN" word={settingsText.revoked} />
  return of.isLive ? (
    <StateLabel state="UP" word={settingsText.live} />
  ) : (
    <StateLabel state="DOWN" word={settingsText.notReporting} />
  )
}
