import { type ErrorComponentProps, Outlet, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { isProblem } from './api/problem.ts'
import { AuthPage } from './shell/auth-page.tsx'
import { prefetchLazyParts } from './ui/lazy.ts'
import { Failed } from './ui/loading.tsx'
import { Sprite } from './ui/sprite.tsx'
import { Toasts } from './ui/toasts.tsx'

export function Root() {
  useEffect(prefetchLazyParts, [])
  return (
    <>
      <Sprite />
      <Outlet />
      <Toasts />
    </>
  )
}

export function NotFound() {
  return (
    <AuthPage
      title="There is nothing here"
      about="The address is mistyped, or what was here is gone."
    >
      <a className="btn lg block" href="/">
        Go to the monitors
      </a>
    </AuthPage>
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
