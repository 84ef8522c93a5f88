// Imports monitors from CSV: choose or paste, look at what it would create, import.

import { useState } from 'react'
import { MAX_IMPORT_CHARACTERS } from '../../../../src/domain/monitors/import-csv.ts'
import { messageOf } from '../../api/problem.ts'
import { toSentence } from '../../messages/field-problems.ts'
import { listOf } from '../../messages/list.ts'
import {
  importRowSentences,
  importSentences,
  importText as text,
} from '../../messages/monitors/import.ts'
import { toast } from '../../session/toast.ts'
import { Button } from '../../ui/button.tsx'
import { Field, FormProblems, fieldsOf } from '../../ui/field.tsx'
import { TextArea } from '../../ui/inputs.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { Mark } from '../../ui/state.tsx'
import { type ImportState, type Preview, readyRows, useImport } from './use-import.ts'
import '../../ui/notice.css'
import './import-dialog.css'

const SHOWN_ROWS = 100

export function ImportDialog({ onClose }: { onClose: () => void }) {
  const [csv, setCsv] = useState('')
  const { state, check, run, reset } = useImport((created) => {
    toast(text.done({ count: created }))
    onClose()
  })
  const { preview, busy } = state
  const ready = preview ? readyRows(preview).length : 0
  return (
    <Dialog
      open
      onClose={onClose}
      holds={busy}
      title={text.title}
      about={text.about}
      foot={
        preview === undefined ? (
          <>
            <Button onClick={onClose}>{text.cancel}</Button>
            {/* Each step has buttons of its own, which take the focus of those they replace. */}
            <Button kind="primary" autoFocus busy={busy} onClick={() => void check(csv)}>
              {text.check}
            </Button>
          </>
        ) : (
          <ResultButtons
            state={state}
            ready={ready}
            onClose={onClose}
            onBack={reset}
            onRun={() => void run(preview)}
          />
        )
      }
    >
      {preview === undefined ? (
        <Choose csv={csv} onChange={setCsv} error={state.error} />
      ) : (
        <Result state={state} preview={preview} ready={ready} />
      )}
    </Dialog>
  )
}

type ResultButtonsProps = {
  state: ImportState
  ready: number
  onClose: () => void
  onBack: () => void
  onRun: () => void
}

function ResultButtons({ state, ready, onClose, onBack, onRun }: ResultButtonsProps) {
  const { busy, done } = state
  if (done > 0 && done === ready && !busy)
    return (
      <Button autoFocus onClick={onClose}>
        {text.close}
      </Button>
    )
  return (
    <>
      <Button busy={busy} onClick={onBack}>
        {text.back}
      </Button>
      <Button
        kind="primary"
        autoFocus
        busy={busy}
        whyNot={ready === 0 ? text.nothing : undefined}
        onClick={onRun}
      >
        {text.action({ count: ready })}
      </Button>
    </>
  )
}

type ChooseProps = { csv: string; onChange: (csv: string) => void; error: unknown }

function Choose({ csv, onChange, error }: ChooseProps) {
  const [problem, setProblem] = useState<string>()
  const read = async (file: File | undefined) => {
    if (file === undefined) return
    if (file.size > MAX_IMPORT_CHARACTERS) return setProblem(text.tooLarge)
    setProblem(undefined)
    try {
      onChange(await file.text())
    } catch {
      // The file changed on disk since it was chosen.
      setProblem(text.unreadable)
    }
  }
  return (
    <>
      <FormProblems error={error} fields={importSentences} />
      <Field label={text.file} hint={text.fileHint} problem={problem}>
        {(control) => (
          <input
            {...control}
            type="file"
            className="input import-file"
            accept=".csv,text/csv,text/plain"
            onChange={(event) => void read(event.currentTarget.files?.[0])}
          />
        )}
      </Field>
      <TextArea
        label={text.paste}
        rows={8}
        maxLength={MAX_IMPORT_CHARACTERS}
        value={csv}
        onChange={onChange}
        problem={fieldsOf(error, importSentences)('csv')}
      />
    </>
  )
}

type ResultProps = { state: ImportState; preview: Preview; ready: number }

function Result({ state, preview, ready }: ResultProps) {
  const { busy, done, created, refused, error } = state
  const { rows, ignored, room } = preview
  const existing = rows.filter(({ exists }) => exists).length
  return (
    <>
      <div role="status">
        <p className="strong-2">{ready === 0 ? text.nothing : text.ready({ count: ready })}</p>
        {existing > 0 && <p>{text.existing({ count: existing })}</p>}
        {room !== null && room < ready && <p>{text.room({ room })}</p>}
        {ignored.length > 0 && (
          <p className="hint wrap-any">{text.ignored({ columns: listOf(ignored) })}</p>
        )}
      </div>
      {(busy || done > 0) && (
        <div>
          <progress
            className="import-progress"
            aria-label={text.progressLabel}
            value={done}
            max={ready}
          />
          <p className="num" role="status">
            {text.progress({ done, total: ready })}
          </p>
        </div>
      )}
      {error !== null && (
        <div className="notice is-down" role="alert">
          <Mark state="DOWN" />
          <p className="grow">
            {messageOf(error)} {text.stopped({ created })}
          </p>
        </div>
      )}
      {refused.length > 0 && <Refused refused={refused} />}
      <BadRows rows={rows} />
      <ReadyRows preview={preview} />
    </>
  )
}

function Refused({ refused }: Pick<ImportState, 'refused'>) {
  return (
    <div role="alert">
      <p className="strong-2">{text.refused({ count: refused.length })}</p>
      <ul className="import-rows" tabIndex={0} aria-label={text.refused({ count: refused.length })}>
        {refused.slice(0, SHOWN_ROWS).map(({ line, message }) => (
          <li key={line}>
            <b className="strong-2">{text.line({ line })}</b>
            <span>{message}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}

function BadRows({ rows }: Pick<Preview, 'rows'>) {
  const bad = rows.filter(({ problems }) => problems.length > 0)
  if (bad.length === 0) return null
  return (
    <div>
      <p className="strong-2">{text.bad({ count: bad.length })}</p>
      <ul className="import-rows" tabIndex={0} aria-label={text.badRows}>
        {bad.slice(0, SHOWN_ROWS).map(({ line, name, problems }) => (
          <li key={line}>
            <b className="strong-2 truncate">
              {text.line({ line })}: <bdi>{name || text.noName}</bdi>
            </b>
            {problems.map(({ path, message }) => (
              <span key={`${path} ${message}`} className="wrap-any">
                {toSentence(importRowSentences[path], message)}
              </span>
            ))}
          </li>
        ))}
        {bad.length > SHOWN_ROWS && <li>{text.more({ count: bad.length - SHOWN_ROWS })}</li>}
      </ul>
    </div>
  )
}

function ReadyRows({ preview }: { preview: Preview }) {
  const rows = readyRows(preview)
  if (rows.length === 0) return null
  return (
    <ul className="import-rows" tabIndex={0} aria-label={text.preview}>
      {rows.slice(0, SHOWN_ROWS).map(({ line, name, type, target, tags }) => (
        <li key={line}>
          <b className="strong-2 truncate" title={name}>
            <bdi>{name}</bdi> <span className="type">{type}</span>
          </b>
          <span className="truncate hint">{[target, ...tags].filter(Boolean).join(' · ')}</span>
        </li>
      ))}
      {rows.length > SHOWN_ROWS && <li>{text.more({ count: rows.length - SHOWN_ROWS })}</li>}
    </ul>
  )
}
