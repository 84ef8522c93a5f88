import { Ban, Bot, Ellipsis, Pause, Play, RefreshCw } from 'lucide-react'
import { keysText as TEXT } from '../../messages/connections/api-keys.ts'
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
  allowMcp: (key: ApiKeyView, mcpWrites: boolean) => void
  revoke: (key: ApiKeyView) => void
}

/** `actions` is undefined if the viewer may not use them. */
export function KeyRow({ of, actions }: { of: ApiKeyView; actions: KeyActions | undefined }) {
  const now = useNow(60_000)
  const { state, word } = appearanceOfKey(of, now)
  const day = of.expiresAt === null ? undefined : formatDay(of.expiresAt, now)
  return (
    <tr>
      <td className="name">
        <div className="two">
          <span className="truncate strong-2" title={of.name}>
            <bdi>{of.name}</bdi>
          </span>
          <span className="mono hint">upv_…{of.last4}</span>
          <span className="only-phone">
            {day === undefined ? TEXT.expiresNever : TEXT.expiresOn({ day })}
            <br />
            {TEXT.lastUsed} <Time at={of.lastUsedAt} as="ago" none={TEXT.never} />
          </span>
        </div>
      </td>
      <td className="hide-phone">
        {accessLabel(of.access)}
        {of.mcpWrites && <span className="hint"> {TEXT.mcp}</span>}
      </td>
      <td className="num hide-phone">{day ?? TEXT.never}</td>
      <td className="num hide-phone">
        <Time at={of.lastUsedAt} as="ago" none={TEXT.never} />
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
        <Button kind="ghost" square size="sm" aria-label={TEXT.more({ name: of.name })}>
          <Ellipsis className="icon" aria-hidden="true" />
        </Button>
      }
    >
      <MenuItem icon={RefreshCw} onSelect={() => actions.replace(of)}>
        {TEXT.replace}
      </MenuItem>
      <MenuItem icon={enabled ? Pause : Play} onSelect={() => actions.switchTo(of, !enabled)}>
        {enabled ? TEXT.disable : TEXT.enable}
      </MenuItem>
      {of.access === 'FULL' && (
        <MenuItem icon={Bot} onSelect={() => actions.allowMcp(of, !of.mcpWrites)}>
          {of.mcpWrites ? TEXT.denyMcp : TEXT.allowMcp}
        </MenuItem>
      )}
      <MenuLine />
      <MenuItem icon={Ban} danger onSelect={() => actions.revoke(of)}>
        {TEXT.revoke}
      </MenuItem>
    </Menu>
  )
}
