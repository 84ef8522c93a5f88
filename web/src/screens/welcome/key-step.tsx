import { welcomeText } from '../../messages/entry/welcome.ts'
import { useWrite } from '../../session/use-api.ts'
import { Button } from '../../ui/button.tsx'
import { Code, Secret } from '../../ui/copy.tsx'

const text = welcomeText.key

/** The only time the key is shown, with a ready-to-run command. */
export function KeyStep({ onDone, onSkip }: { onDone: () => void; onSkip: () => void }) {
  const create = useWrite('POST /keys')
  if (create.data !== undefined)
    return (
      <div className="stack">
        <p className="muted">{text.copyNow}</p>
        <Secret text={create.data.key} label={text.label} />
        <Code title="curl" text={curlLine(create.data.key)} />
        <div className="actions">
          <Button kind="primary" size="lg" onClick={onDone}>
            {text.done}
          </Button>
        </div>
      </div>
    )
  return (
    <div className="stack">
      <p className="muted">{text.intro}</p>
      <div className="actions">
        <Button
          kind="primary"
          size="lg"
          busy={create.isPending}
          onClick={() =>
            create.mutate({
              body: { name: 'First key', access: 'FULL', expiresAt: null, mcpWrites: false },
            })
          }
        >
          {text.create}
        </Button>
        <Button kind="ghost" size="lg" onClick={onSkip}>
          {welcomeText.skip}
        </Button>
      </div>
    </div>
  )
}

const curlLine = (key: string): string =>
  `curl -s ${window.location.origin}/api/v1/monitors -H 'X-API-Key: ${key}'`
