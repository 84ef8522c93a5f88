// Design tokens for a canvas: their values in the current theme.
import { useEffect, useState } from 'react'
import { useTheme } from '../session/theme.ts'

/** A custom property holds both themes; only a computed color is the current one. */
export function colorOf(token: string): string {
  const probe = document.createElement('span')
  probe.style.color = `var(${token})`
  document.body.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

/** Changes whenever colors do: by the person's choice or the system's. */
export function useColorScheme(): string {
  const theme = useTheme()
  const [isDark, setDark] = useState(() => darkQuery().matches)
  useEffect(() => {
    const query = darkQuery()
    const onChange = () => setDark(query.matches)
    query.addEventListener('change', onChange)
    return () => query.removeEventListener('change', onChange)
  }, [])
  return theme === 'system' ? (isDark ? 'dark' : 'light') : theme
}

const darkQuery = () => window.matchMedia('(prefers-color-scheme: dark)')
