import { pageAccessText as TEXT } from '../../../messages/publishing/status-page-editor.ts'
import { Choice } from '../../../ui/field.tsx'
import { TextInput } from '../../../ui/inputs.tsx'
import { type PagePartProps, PartCard } from './fields.tsx'

type AccessProps = PagePartProps & { passwordProtected: boolean }

export function Access({ settings, set, at, passwordProtected }: AccessProps) {
  const { password, published, subscribersEnabled, allowIndexing } = settings
  const asks = password === undefined ? passwordProtected : password !== null
  return (
    <PartCard id="access">
      <Choice
        as="switch"
        checked={published}
        onChange={(next) => set({ published: next })}
        label={TEXT.published}
        hint={TEXT.publishedHint}
      />
      <Choice
        as="switch"
        checked={asks}
        onChange={(checked) => set({ password: passwordAfter(checked, passwordProtected) })}
        label={TEXT.password}
        hint={TEXT.passwordHint}
      />
      {asks && (
        <TextInput
          label={passwordProtected ? TEXT.newPassword : TEXT.firstPassword}
          optional={passwordProtected}
          type="password"
          autoComplete="new-password"
          hint={passwordProtected ? TEXT.newPasswordHint : TEXT.firstPasswordHint}
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
        label={TEXT.subscriptions}
      />
      <Choice
        as="switch"
        checked={allowIndexing}
        onChange={(next) => set({ allowIndexing: next })}
        label={TEXT.indexing}
      />
    </PartCard>
  )
}

/** Undefined keeps the saved password. */
function passwordAfter(asks: boolean, isProtected: boolean): string | null | undefined {
  if (asks === isProtected) return undefined
  return asks ? '' : null
}
