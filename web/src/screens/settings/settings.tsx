import { useQueryClient } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { addressOf } from '../../api/call.ts'
import type { ResponseOf } from '../../api/contract.ts'
import { meQuery } from '../../api/queries.ts'
import { settingsText } from '../../messages/settings.ts'
import { useMay, useOrganization } from '../../session/organization.ts'
import { toast } from '../../session/toast.ts'
import { useRead, useWrite } from '../../session/use-api.ts'
import { plural } from '../../time/figures.ts'
import { formatSpan } from '../../time/format.ts'
import { Button } from '../../ui/button.tsx'
import { FormProblems, fieldsOf } from '../../ui/field.tsx'
import { TextInput } from '../../ui/inputs.tsx'
import { Loaded, Skeleton } from '../../ui/loading.tsx'
import { Page } from '../../ui/page.tsx'
import { DangerZone } from './danger-zone.tsx'
import { EmailTest } from './email-test.tsx'
import { FactorRule } from './factor-rule.tsx'
import { RegionSettings } from './regions.tsx'
import { Timezone } from './timezone.tsx'
import { Usage } from './usage.tsx'
import '../../ui/facts.css'
import '../../ui/form.css'
import './settings.css'

type Organization = ResponseOf<'GET /'>

export function Settings() {
  const { name } = useOrganization()
  const organization = useRead('GET /', {})
  const may = useMay('ADMIN')
  return (
    <Page title={settingsText.settings} about={`Settings for everyone in ${name}.`} narrow>
      <Loaded query={organization} loading={<Loading />}>
        {(data) => (
          <div className="card">
            <Name of={data} key={data.id} />
            <Plan of={data} />
            <Retention of={data} />
            <FactorRule isRequired={data.requiresSecondFactor} />
            <RegionSettings />
            {may && <EmailTest />}
            <Everything />
            <DangerZone />
          </div>
        )}
      </Loaded>
    </Page>
  )
}

function Loading() {
  return (
    <div className="card">
      {['Organization', 'Plan and usage'].map((title) => (
        <div className="form-grid" key={title}>
          <h2>{title}</h2>
          <div className="form-fields settings-wait">
            <Skeleton width="40%" />
            <Skeleton width="80%" />
          </div>
        </div>
      ))}
    </div>
  )
}

function Name({ of }: { of: Organization }) {
  const may = useMay('ADMIN')
  const [name, setName] = useState(of.name)
  const queries = useQueryClient()
  const rename = useWrite('PATCH /', {
    inForm: true,
    onDone: () => {
      void queries.invalidateQueries(meQuery)
      toast('Organization renamed')
    },
  })
  const at = fieldsOf(rename.error)
  return (
    <form
      className="form-grid"
      onSubmit={(event) => {
        event.preventDefault()
        rename.mutate({ body: { name } })
      }}
    >
      <div>
        <h2>{settingsText.organization}</h2>
        <p>{settingsText.shownInEmailsAnd}</p>
      </div>
      <div className="form-fields">
        <FormProblems error={rename.error} fields={['name']} />
        {may ? (
          <>
            <TextInput
              label={settingsText.name}
              required
              maxLength={120}
              value={name}
              onChange={setName}
              problem={at('name')}
            />
            <div>
              <Button
                type="submit"
                busy={rename.isPending}
                whyNot={name === of.name ? 'No changes yet.' : undefined}
              >
                {settingsText.saveName}
              </Button>
            </div>
          </>
        ) : (
          <p className="wrap-any">
            <bdi>{of.name}</bdi>
          </p>
        )}
        <p className="hint mono">{of.id}</p>
      </div>
    </form>
  )
}

/** `UNLIMITED` -> `Unlimited`. */
const planLabel = (plan: string): string => plan.charAt(0) + plan.slice(1).toLowerCase()

function Plan({ of }: { of: Organization }) {
  const interval = formatSpan(of.fastestIntervalSeconds * 1000)
  const { historyDays } = of
  return (
    <div className="form-grid">
      <div>
        <h2>{settingsText.planAndUsage}</h2>
        <p>
          {planLabel(of.plan)}
          {of.subscription === 'ACTIVE' ? '' : `, subscription ${of.subscription.toLowerCase()}`}
        </p>
      </div>
      <div className="form-fields">
        <Usage of={of.usage} />
        <p className="hint">
          {historyDays === null
            ? settingsText.fastestUnlimited({ interval })
            : settingsText.fastest({ interval, days: String(historyDays) })}
        </p>
      </div>
    </div>
  )
}

/** Retention is set for the whole installation. */
function Retention({ of: { retention, timezone } }: { of: Organization }) {
  return (
    <div className="form-grid">
      <div>
        <h2>{settingsText.timeAndRetention}</h2>
        <p>{settingsText.theDefaultTimeZone}</p>
      </div>
      <div className="form-fields">
        <Timezone of={timezone} />
        <dl className="facts">
          <div>
            <dt>{settingsText.individualChecks}</dt>
            <dd>{plural(retention.checkDays, 'day')}</dd>
          </div>
          <div>
            <dt>{settingsText.auditLog}</dt>
            <dd>{plural(retention.auditLogDays, 'day')}</dd>
          </div>
        </dl>
      </div>
    </div>
  )
}

function Everything() {
  const { id } = useOrganization()
  if (!useMay('ADMIN')) return null
  return (
    <div className="form-grid">
      <div>
        <h2>{settingsText.export}</h2>
        <p>{settingsText.downloadYourDataAny}</p>
      </div>
      <div className="form-fields">
        <p>{settingsText.monitorsMaintenanceWindowsStatus}</p>
        <div>
          <a className="btn" href={addressOf(id, 'GET /exports/everything.ndjson', {})} download>
            <Download className="icon" aria-hidden="true" />
            {settingsText.exportEverything}
          </a>
        </div>
      </div>
    </div>
  )
}
