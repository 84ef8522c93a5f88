// The fields of each monitor type.
import { DNS_RECORD_TYPES, HTTP_METHODS } from '../../../../src/domain/monitors/monitor.ts'
import { isHost, isHttp, isNamed, urlProposal } from '../../shared/monitor-draft.ts'
import { formatSpan } from '../../time/format.ts'
import { Choice, Field } from '../../ui/field.tsx'
import { Area, type Form, Pick, Text } from './inputs.tsx'
import { TypeCards } from './type-cards.tsx'
import '../../ui/form.css'
import './monitor-form.css'

const METHODS = HTTP_METHODS.map((one) => [one, one] as const)
const RECORDS = DNS_RECORD_TYPES.map((one) => [one, one] as const)
const INTERVALS = [30, 60, 120, 300, 600, 900, 1800, 3600, 21_600, 43_200, 86_400]
const PERIODS = [60, 300, 600, 900, 1800, 3600, 21_600, 43_200, 86_400, 604_800, 2_592_000]
const SAMPLES = [1, 3, 5, 10, 20, 50, 100]

const named = (seconds: number): string =>
  seconds === 86_400 ? '1 day' : seconds === 604_800 ? '1 week' : formatSpan(seconds * 1000)
const choices = (seconds: readonly number[], own: number) =>
  [...new Set([...seconds, own])].sort((a, b) => a - b).map((one) => [one, named(one)] as const)

export function WhatFields({ form, isNew }: { form: Form; isNew: boolean }) {
  const { draft, change } = form
  return (
    <>
      {isNew && <TypeCards value={draft.type} onChange={(type) => change({ type })} />}
      <Text form={form} name="name" label="Name" maxLength={120} placeholder="Checkout" />
      {isHttp(draft.type) && <HttpTarget form={form} />}
      {draft.type === 'KEYWORD' && (
        <div className="form-2">
          <Text
            form={form}
            name="keyword"
            label="Keyword"
            maxLength={500}
            hint="Upper and lower case differ."
          />
          <Pick
            form={form}
            name="keywordMatch"
            label="Is up when the keyword"
            options={[
              ['EXISTS', 'is there'],
              ['NOT_EXISTS', 'is not there'],
            ]}
          />
        </div>
      )}
      {isHttp(draft.type) && (
        <Text
          form={form}
          name="expectedStatus"
          label="Expected status"
          hint="Any of these counts as up. Ranges and lists both work."
        />
      )}
      {isHost(draft.type) && <HostTarget form={form} />}
      {isNamed(draft.type) && <NamedTarget form={form} />}
      {draft.type === 'CRON' && (
        <p className="muted">
          It gets an address of its own. Your job calls it each time it has run; when a call stays
          away, the monitor is down.
        </p>
      )}
    </>
  )
}

function HttpTarget({ form }: { form: Form }) {
  const { draft, change, at } = form
  const proposal = at('url') === undefined ? undefined : urlProposal(draft)
  return (
    <div className="form-url">
      <Pick form={form} name="method" label="Method" options={METHODS} />
      <div className="stack tight">
        <Text
          form={form}
          name="url"
          label="URL"
          inputMode="url"
          placeholder="https://example.com/health"
          maxLength={2048}
        />
        {proposal !== undefined && (
          <p className="hint">
            Did you mean{' '}
            <button type="button" className="link bare" onClick={() => change({ url: proposal })}>
              {proposal}
            </button>
            ?
          </p>
        )}
      </div>
    </div>
  )
}

function HostTarget({ form }: { form: Form }) {
  const isPort = form.draft.type === 'PORT'
  return (
    <div className={isPort ? 'form-host' : ''}>
      <Text
        form={form}
        name="host"
        label="Host"
        placeholder="db-1.example.com"
        maxLength={255}
        hint="A hostname or an IP address."
      />
      {isPort && <Text form={form} name="port" label="Port" inputMode="numeric" />}
    </div>
  )
}

function NamedTarget({ form }: { form: Form }) {
  const { draft, change } = form
  if (draft.type === 'DNS')
    return (
      <>
        <div className="form-url">
          <Pick form={form} name="dnsRecordType" label="Record" options={RECORDS} />
          <Text
            form={form}
            name="url"
            label="Hostname"
            placeholder="example.com"
            maxLength={2048}
          />
        </div>
        <Area
          form={form}
          name="dnsExpected"
          label="Expected values"
          optional
          hint="All of these must be in the answer. One a line, or separated by commas."
        />
        <Choice
          as="switch"
          checked={draft.dnsAlertOnChange}
          onChange={(dnsAlertOnChange) => change({ dnsAlertOnChange })}
          label="Tell when the answer changes"
          hint="When it holds a value that was not seen in the last 7 days."
        />
      </>
    )
  return (
    <>
      <Text
        form={form}
        name="url"
        label={draft.type === 'SSL' ? 'Host' : 'Domain'}
        placeholder={draft.type === 'SSL' ? 'example.com or example.com:8443' : 'example.com'}
        maxLength={2048}
      />
      <Text
        form={form}
        name="sslExpiryThresholdDays"
        label="Warn this long before it ends"
        unit="days"
      />
    </>
  )
}

export function WhenFields({ form }: { form: Form }) {
  const { draft } = form
  if (draft.type === 'CRON')
    return (
      <div className="form-2">
        <Pick
          form={form}
          name="periodSeconds"
          label="A call every"
          options={choices(PERIODS, draft.periodSeconds)}
        />
        <Text form={form} name="graceSeconds" label="May be late by" unit="s" />
      </div>
    )
  return (
    <>
      <div className="form-2">
        <Pick
          form={form}
          name="intervalSeconds"
          label="Check every"
          options={choices(INTERVALS, draft.intervalSeconds)}
        />
        <Text form={form} name="timeoutSeconds" label="Give up after" unit="s" />
      </div>
      <SlowFields form={form} />
    </>
  )
}

function SlowFields({ form }: { form: Form }) {
  const { draft, change } = form
  const samples = [...new Set([...SAMPLES, Number(draft.degradedSamples) || 1])].sort(
    (a, b) => a - b,
  )
  const modes = samples.flatMap((count) => [
    [`LAST ${count}`, count === 1 ? 'the last check' : `each of the last ${count} checks`] as const,
    [`P95 ${count}`, `p95 of the last ${count} checks`] as const,
  ])
  return (
    <>
      <Choice
        as="switch"
        checked={draft.isSlowDegraded}
        onChange={(isSlowDegraded) => change({ isSlowDegraded })}
        label="Call it degraded when it is slow"
        hint="It stays up and opens no incident; your status page says “Degraded”."
      />
      {draft.isSlowDegraded && (
        <div className="form-2">
          <Text form={form} name="degradedThresholdMs" label="Slower than" unit="ms" />
          <Field label="Measured as" problem={form.at('degradedSamples')}>
            {(control) => (
              <select
                {...control}
                className="select"
                value={`${draft.degradedThresholdMode} ${draft.degradedSamples}`}
                onChange={({ currentTarget: { value } }) => {
                  const [mode, count = '1'] = value.split(' ')
                  change({
                    degradedThresholdMode: mode === 'P95' ? 'P95' : 'LAST',
                    degradedSamples: count,
                  })
                }}
              >
                {modes.map(([value, label]) => (
                  <option key={value} value={value}>
                    {label}
                  </option>
                ))}
              </select>
            )}
          </Field>
        </div>
      )}
    </>
  )
}

export function MoreFields({ form }: { form: Form }) {
  const { draft, change } = form
  return (
    <>
      <Area
        form={form}
        name="requestHeaders"
        label="Request headers"
        optional
        placeholder={'Authorization: Bearer …\nX-Probe: upvane'}
        hint="One “Name: value” in each line."
      />
      {!['GET', 'HEAD'].includes(draft.method) && (
        <Area form={form} name="requestBody" label="Request body" optional rows={4} />
      )}
      <Choice
        checked={draft.followRedirects}
        onChange={(followRedirects) => change({ followRedirects })}
        label="Follow redirects"
        hint="Up to 10, and judge the last answer. Else the first one is judged."
      />
      <Choice
        checked={draft.verifySsl}
        onChange={(verifySsl) => change({ verifySsl })}
        label="Verify the certificate"
        hint="Fails when it is not trusted or is for another name."
      />
      <Text
        form={form}
        name="sslExpiryThresholdDays"
        label="Warn this long before the certificate ends"
        unit="days"
        className="half"
      />
    </>
  )
}
