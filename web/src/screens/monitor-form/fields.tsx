// The fields of each monitor type.
import { DNS_RECORD_TYPES, HTTP_METHODS } from '../../../../src/domain/monitors/monitor.ts'
import { monitorFormText as text } from '../../messages/monitors/monitor-form.ts'
import { isHost, isHttp, isNamed, urlProposal, withScheme } from '../../shared/monitor-draft.ts'
import { Choice } from '../../ui/field.tsx'
import { Area, type Form, Pick, Text } from './inputs.tsx'
import { TypeCards } from './type-cards.tsx'
import '../../ui/form.css'
import './monitor-form.css'

const METHODS = HTTP_METHODS.map((one) => [one, one] as const)
const RECORDS = DNS_RECORD_TYPES.map((one) => [one, one] as const)

type TargetProps = { form: Form; isNew: boolean }

/** The target first: the name of a new monitor is guessed from it. */
export function TargetFields({ form, isNew }: TargetProps) {
  const { draft, change } = form
  const { type } = draft
  return (
    <>
      {isNew && <TypeCards value={type} onChange={(next) => change({ type: next })} />}
      {isHttp(type) && <HttpTarget form={form} isNew={isNew} />}
      {isHost(type) && <HostTarget form={form} isNew={isNew} />}
      {isNamed(type) && <NamedTarget form={form} isNew={isNew} />}
      {type === 'CRON' && <p className="muted">{text.cronIntro}</p>}
      <Text
        form={form}
        name="name"
        label={text.name}
        maxLength={120}
        placeholder={text.namePlaceholder}
        isFirst={isNew && type === 'CRON'}
      />
      {type === 'KEYWORD' && <KeywordFields form={form} />}
      {isHttp(type) && (
        <Text
          form={form}
          name="expectedStatus"
          label={text.expectedStatus}
          hint={text.expectedStatusHint}
        />
      )}
      {type === 'DNS' && <RecordFields form={form} />}
      {(type === 'SSL' || type === 'DOMAIN') && <WarnBefore form={form} />}
    </>
  )
}

function HttpTarget({ form, isNew }: TargetProps) {
  const { draft, change, at } = form
  const proposal = at('url') === undefined ? undefined : urlProposal(draft)
  return (
    <div className="form-url">
      <Pick form={form} name="method" label={text.method} options={METHODS} />
      <div className="stack tight">
        <Text
          form={form}
          name="url"
          label={text.url}
          inputMode="url"
          placeholder="https://example.com/health"
          maxLength={2048}
          isFirst={isNew}
          onBlur={() => change({ url: withScheme(draft.url) })}
        />
        {proposal !== undefined && (
          <p className="hint">
            {text.didYouMean}{' '}
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

function KeywordFields({ form }: { form: Form }) {
  return (
    <div className="form-2">
      <Text
        form={form}
        name="keyword"
        label={text.keyword}
        maxLength={500}
        hint={text.keywordHint}
      />
      <Pick
        form={form}
        name="keywordMatch"
        label={text.keywordMatch}
        options={[
          ['EXISTS', text.contains],
          ['NOT_EXISTS', text.containsNot],
        ]}
      />
    </div>
  )
}

function HostTarget({ form, isNew }: TargetProps) {
  const isPort = form.draft.type === 'PORT'
  return (
    <div className={isPort ? 'form-host' : ''}>
      <Text
        form={form}
        name="host"
        label={text.host}
        placeholder="db-1.example.com"
        maxLength={255}
        hint={text.hostHint}
        isFirst={isNew}
      />
      {isPort && <Text form={form} name="port" label={text.port} inputMode="numeric" />}
    </div>
  )
}

const LABELS = { DNS: text.hostname, SSL: text.host, DOMAIN: text.domain }

function NamedTarget({ form, isNew }: TargetProps) {
  const { type } = form.draft
  const target = (
    <Text
      form={form}
      name="url"
      // Safe because `isNamed` was checked.
      label={LABELS[type as keyof typeof LABELS]}
      placeholder={type === 'SSL' ? 'example.com or example.com:8443' : 'example.com'}
      maxLength={2048}
      isFirst={isNew}
    />
  )
  if (type !== 'DNS') return target
  return (
    <div className="form-url">
      <Pick form={form} name="dnsRecordType" label={text.record} options={RECORDS} />
      {target}
    </div>
  )
}

function RecordFields({ form }: { form: Form }) {
  const { draft, change } = form
  return (
    <>
      <Area
        form={form}
        name="dnsExpected"
        label={text.dnsExpected}
        optional
        hint={text.dnsExpectedHint}
      />
      <Choice
        as="switch"
        checked={draft.dnsAlertOnChange}
        onChange={(dnsAlertOnChange) => change({ dnsAlertOnChange })}
        label={text.dnsAlert}
        hint={text.dnsAlertHint}
      />
    </>
  )
}

function WarnBefore({ form, className }: { form: Form; className?: string }) {
  return (
    <Text
      form={form}
      name="sslExpiryThresholdDays"
      label={text.warnBefore}
      unit={text.units.days}
      {...(className !== undefined && { className })}
    />
  )
}

export function MoreFields({ form }: { form: Form }) {
  const { draft, change } = form
  return (
    <>
      <Area
        form={form}
        name="requestHeaders"
        label={text.headers}
        optional
        placeholder={text.headersPlaceholder}
        hint={text.headersHint}
      />
      {!['GET', 'HEAD'].includes(draft.method) && (
        <Area form={form} name="requestBody" label={text.body} optional rows={4} />
      )}
      <Choice
        checked={draft.followRedirects}
        onChange={(followRedirects) => change({ followRedirects })}
        label={text.redirects}
        hint={text.redirectsHint}
      />
      <Choice
        checked={draft.verifySsl}
        onChange={(verifySsl) => change({ verifySsl })}
        label={text.certificate}
        hint={text.certificateHint}
      />
      <WarnBefore form={form} className="half" />
    </>
  )
}
