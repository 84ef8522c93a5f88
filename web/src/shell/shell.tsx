// The frame around every screen of an organization.
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import {
  type ComponentType,
  type Dispatch,
  lazy,
  type SetStateAction,
  Suspense,
  useEffect,
  useMemo,
  useState,
} from 'react'
import { PATHS } from '../../../src/domain/values/dashboard-paths.ts'
import { isOffline, useConnection } from '../api/connection.ts'
import { meQuery, type OwnOrganization } from '../api/queries.ts'
import { useStream } from '../live/use-stream.ts'
import { errorText } from '../messages/errors.ts'
import { frameText, keyboardText, themeText } from '../messages/shell.ts'
import { CrumbsContext } from '../session/crumbs.ts'
import { listenToKeys, useShortcuts } from '../session/keyboard.ts'
import {
  chosenOf,
  isClosed,
  keepChoice,
  ShellContext,
  useMay,
  useOrganization,
} from '../session/organization.ts'
import { nextTheme } from '../session/theme.ts'
import { toast } from '../session/toast.ts'
import { Button } from '../ui/button.tsx'
import { lazyPart } from '../ui/lazy.ts'
import { Allowed } from './allowed.tsx'
import { LogoMark, Wordmark } from './logo.tsx'
import { OrganizationMenu, PersonMenu, ThemeMenu } from './menus.tsx'
import { SideNavigation, TabBar } from './navigation.tsx'
import { OfflineNotice } from './offline.tsx'
import { commandText } from './palette/command.ts'
import { useFocusOnArrival } from './use-focus-on-arrival.ts'
import { useNavigationItems } from './use-navigation-items.ts'
import { Zone } from './zone.tsx'
import './logo.css'
import './shell.css'

// Few people ever see it.
const NoOrganization = lazy(async () => {
  const { NoOrganization: component } = await import('./no-organization.tsx')
  return { default: component }
})
const palette = lazyPart(() => import('./palette/palette.tsx'))
const acknowledging = lazyPart(() => import('./acknowledge-newest.tsx'))
const help = lazyPart(() => import('./keyboard-help.tsx'))
const maintenance = lazyPart(() => import('../shared/maintenance-dialog.tsx'))

/** Shown instead of every screen while an organization is closed to the person. */
export type ClosedScreen = ComponentType<{ onPass: () => void }>

export function Shell({ Closed }: { Closed: ClosedScreen }) {
  const { data: me } = useSuspenseQuery(meQuery)
  const [chosenId, setChosenId] = useState(() => chosenOf(me.organizations)?.id)
  const queries = useQueryClient()
  const navigate = useNavigate()
  const organization = me.organizations.find(({ id }) => id === chosenId) ?? me.organizations[0]
  const here = useMemo(
    () =>
      organization && {
        organization,
        me,
        change: (id: string, { stay } = { stay: false }) => {
          keepChoice(id)
          setChosenId(id)
          // Data of the previous organization must not show in the next one.
          queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'me' })
          if (!stay) void navigate({ to: PATHS.monitors })
        },
      },
    [organization, me, queries, navigate],
  )
  const { isShut, onPass } = useClosed(organization)
  if (here === undefined)
    return (
      <Suspense>
        <NoOrganization />
      </Suspense>
    )
  return (
    <ShellContext value={here}>
      {isShut ? (
        <Suspense>
          <Closed key={here.organization.id} onPass={onPass} />
        </Suspense>
      ) : (
        <Frame key={here.organization.id} />
      )}
    </ShellContext>
  )
}

/** A person who sets up the second factor stays until they have seen their recovery codes. */
function useClosed(organization: OwnOrganization | undefined) {
  const [heldId, setHeldId] = useState<string>()
  const isHeld = heldId !== undefined && heldId === organization?.id
  if (organization?.needsSecondFactor && !isHeld) setHeldId(organization.id)
  const shut = isHeld || (organization !== undefined && isClosed(organization))
  return { isShut: shut, onPass: () => setHeldId(undefined) }
}

type Over =
  | { show: 'palette'; text: string }
  | { show: 'help' }
  | { show: 'maintenance'; of: { id: string; name: string } }
  | undefined

function Frame() {
  const [crumbs, setCrumbs] = useState<HTMLElement | null>(null)
  const [over, setOver] = useState<Over>()
  const { offlineSince } = useConnection()
  useStream(useOrganization().id)
  useGlobalKeys(setOver)
  useFocusOnArrival()
  const openPalette = () => setOver({ show: 'palette', text: '' })
  return (
    <CrumbsContext value={crumbs}>
      <a className="skip" href="#main">
        {frameText.skipToContent}
      </a>
      <div className="app">
        <aside className="side" aria-label={frameText.main}>
          <Link
            to={PATHS.monitors}
            className="wordmark"
            aria-label="Upvane"
            activeProps={{ 'aria-current': undefined }}
          >
            <Wordmark />
          </Link>
          <OrganizationMenu />
          <SideNavigation />
          <PersonMenu />
        </aside>
        <div className="column">
          <TopBar setCrumbs={setCrumbs} openPalette={openPalette} />
          <div className={offlineSince === undefined ? 'fresh' : 'fresh stale-all'}>
            <Allowed />
          </div>
          {offlineSince !== undefined && (
            <div className="lost-place">
              <OfflineNotice />
            </div>
          )}
        </div>
        <TabBar />
      </div>
      <Over over={over} setOver={setOver} />
    </CrumbsContext>
  )
}

const PARTS = { palette, help, maintenance }

function Over({ over, setOver }: { over: Over; setOver: Dispatch<SetStateAction<Over>> }) {
  const search = palette.use()
  const keys = help.use()
  const start = maintenance.use()
  useEffect(() => {
    if (over === undefined) return
    void PARTS[over.show].fetch().then((isThere) => {
      if (isThere) return
      setOver((now) => (now === over ? undefined : now))
      // Without a connection, the notice says that it does not open.
      if (!isOffline()) toast(errorText.notOpened, 'bad')
    })
  }, [over, setOver])
  const close = () => setOver(undefined)
  if (over?.show === 'palette' && search)
    return (
      <search.Palette
        initial={over.text}
        onClose={close}
        onMaintenance={(of) => setOver({ show: 'maintenance', of })}
      />
    )
  if (over?.show === 'help' && keys) return <keys.KeyboardHelp onClose={close} />
  if (over?.show !== 'maintenance' || !start) return null
  const { id, name } = over.of
  return (
    <start.MaintenanceDialog
      count={1}
      of={name}
      idsOf={async () => [id]}
      onClose={close}
      onDone={close}
    />
  )
}

type TopBarProps = { setCrumbs: (element: HTMLElement | null) => void; openPalette: () => void }

function TopBar({ setCrumbs, openPalette }: TopBarProps) {
  const newest = acknowledging.use()
  const mayWrite = useMay('MEMBER')
  return (
    <header className="top">
      <Link
        to={PATHS.monitors}
        className="only-phone"
        aria-label="Upvane"
        activeProps={{ 'aria-current': undefined }}
      >
        <LogoMark />
      </Link>
      <OrganizationMenu small />
      <nav className="crumbs" aria-label={frameText.breadcrumb} ref={setCrumbs} />
      {mayWrite && newest && <newest.AcknowledgeNewest />}
      <Zone className="zone-top" />
      <button type="button" className="find" onClick={openPalette}>
        <Search className="icon" aria-hidden="true" />
        <span>{frameText.search}</span>
        <span className="kbd" aria-hidden="true">
          /
        </span>
      </button>
      <ThemeMenu />
      <Button
        kind="ghost"
        square
        className="only-phone"
        aria-label={frameText.search}
        onClick={openPalette}
      >
        <Search className="icon" aria-hidden="true" />
      </Button>
    </header>
  )
}

function useGlobalKeys(setOver: (over: Over) => void): void {
  const navigate = useNavigate()
  const places = useNavigationItems()
  const mayWrite = useMay('MEMBER')
  const openPalette = (text = '') => setOver({ show: 'palette', text })
  useEffect(() => listenToKeys(() => setOver({ show: 'palette', text: '' })), [setOver])
  useShortcuts([
    ...places.map(({ to, label, keys }) => ({
      keys,
      label,
      group: 'Go to' as const,
      hidden: true,
      run: () => void navigate({ to }),
    })),
    {
      keys: '/',
      label: keyboardText.palette,
      group: 'Anywhere',
      hidden: true,
      run: () => openPalette(),
    },
    ...(mayWrite
      ? [
          {
            keys: 'a',
            label: keyboardText.acknowledge,
            group: 'Anywhere' as const,
            hidden: true,
            run: () => openPalette(commandText('acknowledge')),
          },
        ]
      : []),
    {
      keys: '?',
      label: keyboardText.help,
      group: 'Anywhere',
      run: () => setOver({ show: 'help' }),
    },
    {
      keys: 't',
      label: keyboardText.theme,
      group: 'Anywhere',
      run: () => toast(themeText.changed({ name: themeText.names[nextTheme()] }), 'plain'),
    },
  ])
}
