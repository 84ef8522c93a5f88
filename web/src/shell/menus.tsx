// The menus for the organization, the theme and the signed-in person.
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Check, ChevronDown, LogOut, Monitor, Moon, Sun, UserRound } from 'lucide-react'
import { PATHS } from '../../../src/domain/values/dashboard-paths.ts'
import { callApi } from '../api/call.ts'
import { frameText, themeText } from '../messages/shell.ts'
import { unsubscribe } from '../session/browser-push.ts'
import { useShell } from '../session/organization.ts'
import { setTheme, useTheme } from '../session/theme.ts'
import { Button } from '../ui/button.tsx'
import { initialsOf } from '../ui/initials.ts'
import { Menu, MenuItem, MenuLink, MenuRadio } from '../ui/overlay/menu.tsx'
import '../ui/avatar.css'
import './menus.css'

export function OrganizationMenu({ small = false }: { small?: boolean }) {
  const { organization, me, change } = useShell()
  const trigger = small ? (
    <button type="button" className="org-small only-phone">
      <span className="truncate" title={organization.name}>
        {organization.name}
      </span>
      <ChevronDown className="icon" aria-hidden="true" />
    </button>
  ) : (
    <button type="button" className="org">
      <Initial name={organization.name} />
      <span className="truncate" title={organization.name}>
        {organization.name}
      </span>
      <ChevronDown className="icon" aria-hidden="true" />
    </button>
  )
  return (
    <Menu trigger={trigger} align="start">
      {me.organizations.map(({ id, name }) => (
        <MenuItem key={id} onSelect={() => change(id)}>
          <Initial name={name} />
          <span className="grow truncate" title={name}>
            {name}
          </span>
          {id === organization.id && <Check className="icon" aria-label={frameText.openNow} />}
        </MenuItem>
      ))}
    </Menu>
  )
}

function Initial({ name }: { name: string }) {
  return (
    <span className="avatar" aria-hidden="true">
      {[...name][0]?.toUpperCase()}
    </span>
  )
}

const THEME_OPTIONS = [
  { value: 'system', label: themeText.names.system, icon: Monitor },
  { value: 'light', label: themeText.names.light, icon: Sun },
  { value: 'dark', label: themeText.names.dark, icon: Moon },
] as const

/** For a menu: which theme is used, and a choice of another. */
export function ThemeChoice() {
  const theme = useTheme()
  return (
    <MenuRadio label={themeText.title} value={theme} onChange={setTheme} options={THEME_OPTIONS} />
  )
}

export function ThemeMenu() {
  const theme = useTheme()
  const Icon = theme === 'light' ? Sun : theme === 'dark' ? Moon : Monitor
  return (
    <Menu
      trigger={
        <Button
          kind="ghost"
          square
          className="wide-only"
          aria-label={themeText.changed({ name: themeText.names[theme] })}
        >
          <Icon className="icon" aria-hidden="true" />
        </Button>
      }
    >
      <ThemeChoice />
    </Menu>
  )
}

export function PersonMenu() {
  const { me } = useShell()
  const { name, email } = me.person
  return (
    <Menu
      align="start"
      trigger={
        <button type="button" className="me">
          <span className="avatar round" aria-hidden="true">
            {initialsOf(name)}
          </span>
          <span className="truncate" title={name}>
            {name}
          </span>
        </button>
      }
    >
      <p className="menu-label truncate" title={email}>
        {email}
      </p>
      <PersonItems />
    </Menu>
  )
}

export function PersonItems() {
  const signOut = useSignOut()
  return (
    <>
      <MenuLink to={PATHS.account} icon={UserRound}>
        {frameText.yourAccount}
      </MenuLink>
      <MenuItem icon={LogOut} onSelect={() => void signOut()}>
        {frameText.signOut}
      </MenuItem>
    </>
  )
}

export function useSignOut() {
  const navigate = useNavigate()
  const queries = useQueryClient()
  return async () => {
    await callApi('DELETE /session', {})
    // The next person on this browser must not see this one's alerts.
    await unsubscribe()
    await navigate({ to: PATHS.signIn })
    queries.clear()
  }
}
