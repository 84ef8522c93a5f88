import { useState } from 'react'
import { keyboardHelpText } from '../messages/keyboard-help.ts'
import {
  type Shortcut,
  singleKeysOn,
  switchSingleKeys,
  useRegistered,
} from '../session/keyboard.ts'
import { Choice } from '../ui/field.tsx'
import { Dialog } from '../ui/overlay/dialog.tsx'
import './keyboard-help.css'

const GROUPS = ['Anywhere', 'Lists', 'Go to', 'This screen'] as const

export function KeyboardHelp({ onClose }: { onClose: () => void }) {
  const shortcuts = useRegistered()
  const [on, setOn] = useState(singleKeysOn)
  return (
    <Dialog
      open
      onClose={onClose}
      title={keyboardHelpText.title}
      about={keyboardHelpText.about}
      className="keys-dialog"
      foot={
        <>
          <Choice
            as="switch"
            checked={on}
            label={keyboardHelpText.singleKeys}
            onChange={(next) => {
              switchSingleKeys(next)
              setOn(next)
            }}
          />
          <span className="hint">
            <kbd className="kbd">Ctrl</kbd> <kbd className="kbd">K</kbd> {keyboardHelpText.always}
          </span>
        </>
      }
    >
      <div className="keys-grid">
        {GROUPS.map((group) => (
          <Group
            key={group}
            title={group}
            shortcuts={shortcuts.filter((one) => one.group === group)}
          />
        ))}
      </div>
    </Dialog>
  )
}

function Group({ title, shortcuts }: { title: string; shortcuts: readonly Shortcut[] }) {
  if (shortcuts.length === 0) return null
  return (
    <section>
      <h3>{title}</h3>
      <dl>
        {shortcuts.map(({ keys, label }) => (
          <div key={keys}>
            <dt>{label}</dt>
            <dd>
              <KeyNames keys={keys} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

export function KeyNames({ keys }: { keys: string }) {
  const names = keys.split(' ').flatMap((key) => (/^[A-Z]$/.test(key) ? ['Shift', key] : [key]))
  return names.map((name) => (
    <kbd key={name} className="kbd">
      {name.length === 1 ? name.toUpperCase() : name}
    </kbd>
  ))
}
