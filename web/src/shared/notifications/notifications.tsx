// "Notifications on this device": turned on and off by each person for their own browsers.

import { useMutation, useQuery } from '@tanstack/react-query'
import { Bell, Laptop, Smartphone } from 'lucide-react'
import type { ItemOf } from '../../api/contract.ts'
import { notificationsText } from '../../messages/notifications.ts'
import { useShell } from '../../session/organization.ts'
import { toast } from '../../session/toast.ts'
import { useRead, useWrite } from '../../session/use-api.ts'
import { Button } from '../../ui/button.tsx'
import { Loaded, Skeleton } from '../../ui/loading.tsx'
import { Time } from '../../ui/time.tsx'
import '../device-list.css'
import {
  ownFingerprint,
  type PushSupport,
  pushSupport,
  subscribe,
} from '../../session/browser-push.ts'
import { browserOf } from './browser.ts'

type Device = ItemOf<'GET /push-devices'>

const WHY_NOT: Record<Exclude<PushSupport, 'READY'>, string> = {
  BLOCKED:
    'This browser blocks notifications from Upvane. Allow them in its settings, then reload.',
  INSECURE: 'Browsers allow notifications over HTTPS only.',
  MISSING:
    'This browser has no push notifications. On iPhone and iPad, add Upvane to the home screen first.',
}

export function Notifications() {
  const devices = useRead('GET /push-devices', {})
  return (
    <section className="card" aria-labelledby="notifications">
      <header>
        <h2 id="notifications">{notificationsText.notificationsOnThisDevice}</h2>
      </header>
      <Loaded query={devices} loading={<NotificationsWait />}>
        {({ publicKey, data }) => <Devices publicKey={publicKey} devices={data} />}
      </Loaded>
    </section>
  )
}

function NotificationsWait() {
  return (
    <ul className="sessions" aria-hidden="true">
      <li>
        <Skeleton width="40%" />
      </li>
    </ul>
  )
}

function Devices({ publicKey, devices }: { publicKey: string; devices: readonly Device[] }) {
  const own = useQuery({ queryKey: ['own-device'], queryFn: ownFingerprint, staleTime: 0 })
  const current = devices.find(({ fingerprint }) => fingerprint === own.data)
  const others = devices.filter((device) => device !== current)
  return (
    <ul className="sessions">
      <ThisDevice publicKey={publicKey} current={current} refresh={() => void own.refetch()} />
      {others.map((device) => (
        <DeviceRow key={device.id} of={device} />
      ))}
    </ul>
  )
}

type ThisDeviceProps = {
  publicKey: string
  current: Device | undefined
  refresh: () => void
}

function ThisDevice({ publicKey, current, refresh }: ThisDeviceProps) {
  const { name } = browserOf(navigator.userAgent)
  const support = pushSupport()
  const test = useWrite('POST /push-test', { onDone: () => toast('Test sent to your devices') })
  const remove = useWrite('DELETE /push-devices/{deviceId}', {
    onDone: () => toast('Notifications are off on this device'),
  })
  const { turnOn, isBusy } = useTurnOn(publicKey, name, refresh)
  return (
    <li>
      <Bell className="icon" aria-hidden="true" />
      <div className="two grow">
        <span className="strong-2">{current ? `On: ${name}` : 'Off'}</span>
        <span className="wrap-any">
          {support === 'READY'
            ? (current?.error ?? 'Alerts appear here even when the dashboard is closed.')
            : WHY_NOT[support]}
        </span>
      </div>
      {current ? (
        <div className="row">
          <Button size="sm" busy={test.isPending} onClick={() => test.mutate({})}>
            {notificationsText.sendTest}
          </Button>
          <Button
            size="sm"
            busy={remove.isPending}
            onClick={() => remove.mutate({ params: { deviceId: current.id } })}
          >
            {notificationsText.turnOff}
          </Button>
        </div>
      ) : (
        <Button
          size="sm"
          busy={isBusy}
          whyNot={support === 'READY' ? undefined : WHY_NOT[support]}
          onClick={turnOn}
        >
          {notificationsText.turnOn}
        </Button>
      )}
    </li>
  )
}

function useTurnOn(publicKey: string, name: string, refresh: () => void) {
  const { person } = useShell().me
  const add = useWrite('POST /push-devices', {
    onDone: () => {
      refresh()
      toast('Notifications are on. Send a test to see one.')
    },
  })
  const ask = useMutation({
    mutationFn: () => subscribe(publicKey, person.id),
    onSuccess: (subscription) => {
      if (subscription === undefined) toast('The browser did not allow notifications', 'bad')
      else add.mutate({ body: { name, ...subscription } })
    },
    onError: () => toast('The browser could not reach its push service. Try again.', 'bad'),
  })
  return { turnOn: () => ask.mutate(), isBusy: ask.isPending || add.isPending }
}

function DeviceRow({ of }: { of: Device }) {
  const remove = useWrite('DELETE /push-devices/{deviceId}', {
    onDone: () => toast(`Notifications are off on ${of.name}`),
  })
  const Icon = /iPhone|Android/.test(of.name) ? Smartphone : Laptop
  return (
    <li>
      <Icon className="icon" aria-hidden="true" />
      <div className="two grow">
        <span className="strong-2 truncate">{of.name}</span>
        <span className="wrap-any">
          {of.error ?? <>{notificationsText.onSince({ moment: <Time at={of.createdAt} /> })}</>}
        </span>
      </div>
      <Button
        size="sm"
        busy={remove.isPending}
        aria-label={notificationsText.turnOffDevice({ device: of.name })}
        onClick={() => remove.mutate({ params: { deviceId: of.id } })}
      >
        {notificationsText.turnOff}
      </Button>
    </li>
  )
}
