import { Choice } from '../../../ui/field.tsx'
import { TextInput } from '../../../ui/inputs.tsx'
import { type PagePartProps, PartCard } from './fields.tsx'

type AccessProps = PagePartProps & { passwordProtected: boolean }

export function Access({ settings, set, at, passwordProtected }: AccessProps) {
  const { password, published, subscribersEnabled, allowIndexing } = settings
  const asks = password === undefined ? passwordProtected : password !== null
  return (
    <PartCard id="access" title="Access">
      <Choice
        as="switch"
        checked={published}
        onChange={(next) => set({ published: next })}
        label="Published"
        hint="Off: the address answers 404, also for subscribers."
      />
      <Choice
        as="switch"
        checked={asks}
        onChange={(checked) => set({ password: passwordAfter(checked, passwordProtected) })}
        label="Ask for a password"
        hint="Feeds and badges answer 401 without it."
      />
      {asks && (
        <TextInput
          label={passwordProtected ? 'New password' : 'Password'}
          optional={passwordProtected}
          type="password"
          autoComplete="new-password"
          hint={
            passwordProtected
              ? 'Empty: the one that is set stays. Another one asks every reader again.'
              : '8 characters or more. It can never be read again.'
          }
          problem={at('password')}
          value={password ?? ''}
          onChange={(text) =>
            set({ password: text === '' && passwordProtected ? undefined : text })
          }
        />
      )}
      <Choice
        as="switch"
        checked={subscribersEnabled}
        onChange={(next) => set({ subscribersEnabled: next })}
        label="Readers can subscribe by e-mail"
      />
      <Choice
        as="switch"
        checked={allowIndexing}
        onChange={(next) => set({ allowIndexing: next })}
        label="Let search engines list it"
      />
    </PartCard>
  )
}

/** Undefined keeps the saved password. */
function passwordAfter(asks: boolean, isProtected: boolean): string | null | undefined {
  if (asks === isProtected) return undefined
  return asks ? '' : null
}
