// Single-key shortcuts. Those a screen registers also appear in the help and the palette.
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { isOffline } from '../api/connection.ts'

export type Shortcut = {
  /** As in `KeyboardEvent.key`: `n`, `?`, `X` (with Shift), or a sequence: `g m`. */
  keys: string
  label: string
  group: 'Anywhere' | 'Go to' | 'Lists' | 'This screen'
  run: () => void
  /** Hidden from the palette, such as moving within a list. */
  hidden?: boolean
}

const SEQUENCE_MS = 1200
const OFF_KEY = 'single-keys'

let registered: readonly (readonly Shortcut[])[] = []
const listeners = new Set<() => void>()

function register(shortcuts: readonly Shortcut[]): () => void {
  change([...registered, shortcuts])
  return () => change(registered.filter((one) => one !== shortcuts))
}

function change(next: typeof registered): void {
  registered = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Active while the screen is mounted. The newest screen's keys take precedence. */
export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  const latest = useRef(shortcuts)
  useEffect(() => {
    latest.current = shortcuts
  })
  const shape = shortcuts.map(({ keys, label }) => `${keys} ${label}`).join('\n')
  useEffect(() => {
    if (shape === '') return
    const own = latest.current.map((shortcut, index) => ({
      ...shortcut,
      run: () => latest.current[index]?.run(),
    }))
    return register(own)
  }, [shape])
}

export function useRegistered(): readonly Shortcut[] {
  const lists = useSyncExternalStore(subscribe, () => registered)
  return lists.flat()
}

export const singleKeysOn = (): boolean => localStorage.getItem(OFF_KEY) !== 'off'

export function switchSingleKeys(on: boolean): void {
  if (on) localStorage.removeItem(OFF_KEY)
  else localStorage.setItem(OFF_KEY, 'off')
}

/** Listens on the whole page. Ctrl-K always works; single keys never do while the person types or a dialog is open. */
export function listenToKeys(openPalette: () => void): () => void {
  let before = ''
  let beforeAt = 0
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'k' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      return openPalette()
    }
    if (!isFree(event)) return
    const sequence = event.timeStamp - beforeAt < SEQUENCE_MS ? `${before} ${event.key}` : ''
    const all = registered.flat().filter(worksNow).toReversed()
    const hit =
      all.find(({ keys }) => keys === sequence) ?? all.find(({ keys }) => keys === event.key)
    before = event.key
    beforeAt = event.timeStamp
    if (hit === undefined) return
    event.preventDefault()
    before = ''
    hit.run()
  }
  window.addEventListener('keydown', onKey)
  return () => window.removeEventListener('keydown', onKey)
}

/** What a screen can do needs the server. */
const worksNow = ({ group }: Shortcut): boolean => group !== 'This screen' || !isOffline()

function isFree(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return false
  const element = event.target instanceof HTMLElement ? event.target : document.body
  if (element.closest('input:not([type=checkbox]), textarea, select, [contenteditable]'))
    return false
  return document.querySelector('[role=dialog]:not(.toast), [role=menu]') === null && singleKeysOn()
}
