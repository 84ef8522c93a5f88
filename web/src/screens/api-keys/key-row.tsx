import { Ban, Ellipsis, Pause, Play, RefreshCw } from 'lucide-react'
import { formatDay } from '../../time/format.ts'
import { useNow } from '../../time/use-now.ts'
import { Button } from '../../ui/button.tsx'
import { Menu, MenuItem, MenuLine } from '../../ui/overlay/menu.tsx'
import { StateLabel } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import { type ApiKeyView, accessLabel, appearanceOfKey, isLive } from './key.ts'

export type KeyActions = {
  replace: (key: ApiKeyView) => void
  switchTo: (key: ApiKeyView, enabled: boolean) => void
  revoke: (key: ApiKeyView) => void
}

/** `actions` is undefined if the viewer may not use them. */
export function KeyRow({ of, actions }: { of: ApiKeyView; actions: KeyActions | undefined }) {
  const now = useNow(60_000)
  const { state, word } = appearanceOfKey(of, now)
  return (
    <tr>
      <td className="name">
        <div className="two">
          <span className="truncate strong-2" title={of.name}>
            <bdi>{of.name}</bdi>
          </span>
          <span className="mono">upv_…{of.last4}</span>
        </div>
      </td>
      <td className="hide-phone">{accessLabel(of.access)}</td>
      <td className="num hide-phone">
        {of.expiresAt === null ? 'Never' : formatDay(of.expiresAt, now)}
      </td>
      <td className="num hide-phone">
        <Time at={of.lastUsedAt} as="ago" none="Not yet" />
      </td>
      <td className="hide-phone by">
        <bdi className="truncate" title={of.createdBy ?? undefined}>
          {of.createdBy ?? '–'}
        </bdi>
      </td>
      <td>
        <StateLabel state={state} word={word} />
      </td>
      <td className="end">
        {actions !== undefined && isLive(of) && <KeyMenu of={of} actions={actions} />}
      </td>
    </tr>
  )
}

function KeyMenu({ of, actions }: { of: ApiKeyView; actions: KeyActions }) {
  const enabled = of.state === 'ACTIVE'
  return (
    <Menu
      trigger={
        <Button kind="ghost" square size="sm" aria-label={`More for ${of.name}`}>
          <Ellipsis className="icon" aria-hidden="true" />
        </Button>
      }
    >
      <MenuItem icon={RefreshCw} onSelect={() => actions.replace(of)}>
        Replace…
      </MenuItem>
      <MenuItem icon={enabled ? Pause : Play} onSelect={() => actions.switchTo(of, !enabled)}>
        {enabled ? 'Disable' : 'Enable'}
      </MenuItem>
      <MenuLine />
      <MenuItem icon={Ban} danger onSelect={() => actions.revoke(of)}>
        Revoke…
      </MenuItem>
    </Menu>
  )
}
