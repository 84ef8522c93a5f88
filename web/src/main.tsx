import './styles/main.css'

import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { PATHS, SIGNED_OUT_PATHS } from '../../src/domain/values/dashboard-paths.ts'
import { isOutdated } from './api/build.ts'
import { createQueryClient } from './api/query-client.ts'
import { createAppRouter } from './router.tsx'
import { keepFocus } from './shell/keep-focus.ts'
import { watchStyles } from './ui/lazy.ts'

const AUTH_PATHS: readonly string[] = Object.values(SIGNED_OUT_PATHS)

const queries = createQueryClient(() => {
  const { pathname, href } = router.state.location
  if (!AUTH_PATHS.includes(pathname))
    void router.navigate({ to: PATHS.signIn, search: { returnTo: href } })
})
const router = createAppRouter(queries)
// The screen it goes to may not be on the server anymore.
router.subscribe('onBeforeNavigate', ({ toLocation, pathChanged }) => {
  if (pathChanged && isOutdated()) window.location.assign(toLocation.href)
})

type Screens = Record<string, { options: { component?: { preload?: () => Promise<unknown> } } }>

// Preload the screen while the server checks who is signed in.
const screens = router.routesById as unknown as Screens
for (const { routeId } of router.matchRoutes(router.latestLocation) as { routeId: string }[])
  void screens[routeId]?.options.component?.preload?.()

const element = document.getElementById('root')
if (element === null) throw new Error('index.html has no #root.')
keepFocus()
watchStyles()
createRoot(element).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
)
