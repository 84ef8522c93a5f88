import { useSyncExternalStore } from 'react'

// `public/early.js` reads the same key for the first paint.
const KEY = 'theme'

const THEMES = ['system', 'light', 'dark'] as const
type DashboardTheme = (typeof THEMES)[number]

const listeners = new Set<() => void>()

function current(): DashboardTheme {
  const { theme } = document.documentElement.dataset
  return theme === 'light' || theme === 'dark' ? theme : 'system'
}

export function setTheme(theme: DashboardTheme): void {
  if (theme === 'system') {
    delete document.documentElement.dataset['theme']
    localStorage.removeItem(KEY)
  } else {
    document.documentElement.dataset['theme'] = theme
    localStorage.setItem(KEY, theme)
  }
  for (const listener of listeners) listener()
}

export function nextTheme(): DashboardTheme {
  const next = THEMES[(THEMES.indexOf(current()) + 1) % THEMES.length] ?? 'system'
  setTheme(next)
  return next
}

export function useTheme(): DashboardTheme {
  return useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, current)
}
