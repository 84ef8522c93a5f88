import { type ErrorComponentProps, Outlet, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useConnection } from './api/connection.ts'
import { isProblem } from './api/problem.ts'
import { prefetchLazyParts } from './ui/lazy.ts'
import { Failed } from './ui/loading.tsx'
import { Toasts } from './ui/overlay/toasts.tsx'
import { Sprite } from './ui/sprite.tsx'

export function Root() {
  const { offlineSince } = useConnection()
  const isOffline = offlineSince !== undefined
  // What could not be loaded is loaded once the server is back.
  useEffect(() => (isOffline ? undefined : prefetchLazyParts()), [isOffline])
  return (
    <>
      <Sprite />
      <Outlet />
      <Toasts />
    </>
  )
}

export function RouteFailed({ error }: ErrorComponentProps) {
  const router = useRouter()
  // The redirect to the sign-in page is already under way.
  if (isProblem(error, 'unauthorized')) return null
  return (
    <main className="route-failed">
      <Failed error={error} retry={() => void router.invalidate()} />
    </main>
  )
}
