import { Link } from '@tanstack/react-router'
import { noAccessText } from '../messages/entry/no-access.ts'
import { useShell } from '../session/organization.ts'
import { Button } from './button.tsx'
import { Empty } from './loading.tsx'
import { Page } from './page.tsx'

const text = noAccessText.item

type ItemNotFoundProps = { what: keyof typeof text.titles; back: string }

/** No item with this id in the current organization: it was deleted, or belongs to another of theirs. */
export function ItemNotFound({ what, back }: ItemNotFoundProps) {
  const { me, organization, change } = useShell()
  const others = me.organizations.filter(({ id }) => id !== organization.id)
  return (
    <Page title={text.titles[what]}>
      <section className="card">
        <Empty
          title={text.about}
          action={
            <Link to={back} className="btn">
              {text.action}
            </Link>
          }
        >
          {others.length > 0 ? text.elsewhere : undefined}
        </Empty>
        {others.length > 0 && (
          <footer className="row wrap">
            <span>{text.switchTo}</span>
            {others.map(({ id, name }) => (
              <Button key={id} size="sm" onClick={() => change(id, { stay: true })}>
                {name}
              </Button>
            ))}
          </footer>
        )}
      </section>
    </Page>
  )
}
