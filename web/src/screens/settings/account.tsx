import { useState } from 'react'
import { accountText } from '../../messages/account.ts'
import { profileText as TEXT } from '../../messages/settings.ts'
import { useShell } from '../../session/organization.ts'
import { toast } from '../../session/toast.ts'
import { Notifications } from '../../shared/notifications/notifications.tsx'
import { AUTOMATIC, zoneChoices } from '../../time/zone-options.ts'
import { Button } from '../../ui/button.tsx'
import { FormProblems, fieldsOf } from '../../ui/field.tsx'
import { SelectInput, TextInput } from '../../ui/inputs.tsx'
import { Page } from '../../ui/page.tsx'
import { Identity } from './identity.tsx'
import { Passkeys } from './passkeys.tsx'
import { SecondFactor } from './second-factor.tsx'
import { Sessions } from './sessions.tsx'
import { usePersonal } from './use-personal.ts'
import '../../ui/form.css'

/** Personal settings, independent of the organization. */
export function Account() {
  const { person } = useShell().me
  return (
    <Page title={accountText.yourAccount} about={person.email} narrow>
      <div className="card">
        <Profile />
        <Password />
        <Passkeys />
        <SecondFactor />
        <Identity />
      </div>
      <Notifications />
      <Sessions />
    </Page>
  )
}

function Profile() {
  const { person } = useShell().me
  const [name, setName] = useState(person.name)
  const [zone, setZone] = useState(person.timezone ?? AUTOMATIC)
  const isSame = name === person.name && zone === (person.timezone ?? AUTOMATIC)
  const save = usePersonal('PATCH /me', { inForm: true, onDone: () => toast('Saved') })
  const at = fieldsOf(save.error)
  return (
    <form
      className="form-grid"
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate({ body: { name, timezone: zone === AUTOMATIC ? null : zone } })
      }}
    >
      <div>
        <h2>{TEXT.title}</h2>
        <p>{TEXT.about}</p>
      </div>
      <div className="form-fields">
        <FormProblems error={save.error} fields={['name', 'timezone']} />
        <TextInput
          label={TEXT.name}
          required
          maxLength={120}
          autoComplete="name"
          value={name}
          onChange={setName}
          problem={at('name')}
        />
        <SelectInput
          label={TEXT.timezone}
          value={zone}
          onChange={setZone}
          options={zoneChoices(person.timezone, TEXT.automatic)}
          problem={at('timezone')}
          hint={TEXT.hint}
        />
        <div>
          <Button type="submit" busy={save.isPending} whyNot={isSame ? TEXT.unchanged : undefined}>
            {TEXT.action}
          </Button>
        </div>
      </div>
    </form>
  )
}

function Password() {
  const { hasPassword } = useShell().me.person
  const [current, setCurrent] = useState('')
  const [password, setPassword] = useState('')
  const change = usePersonal('POST /me/password', {
    inForm: true,
    onDone: () => {
      setCurrent('')
      setPassword('')
      toast('Password changed. Other sessions are signed out.')
    },
  })
  const at = fieldsOf(change.error)
  return (
    <form
      className="form-grid"
      onSubmit={(event) => {
        event.preventDefault()
        change.mutate({ body: { current, password } })
      }}
    >
      <div>
        <h2>{accountText.password}</h2>
        <p>{accountText.passwordHint}</p>
      </div>
      <div className="form-fields">
        <FormProblems error={change.error} fields={['current', 'password']} />
        <div className="form-2">
          {hasPassword && (
            <TextInput
              label={accountText.currentPassword}
              type="password"
              required
              autoComplete="current-password"
              value={current}
              onChange={setCurrent}
              problem={at('current')}
            />
          )}
          <TextInput
            label={accountText.newPassword}
            type="password"
            required
            autoComplete="new-password"
            value={password}
            onChange={setPassword}
            problem={at('password')}
          />
        </div>
        <div>
          <Button type="submit" busy={change.isPending}>
            {hasPassword ? 'Change password' : 'Set a password'}
          </Button>
        </div>
      </div>
    </form>
  )
}
