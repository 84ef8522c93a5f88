import { Link } from '@tanstack/react-router'
import { useShell } from '../session/organization.ts'
import { Button } from './button.tsx'
import { Empty } from './loading.tsx'
import { Page } from './page.tsx'

/** No item with this id in the current organization: it was deleted, or belongs to another of theirs. */
export function ItemNotFound({ what, back }: { what: string; back: string }) {
  const { me, organization, change } = useShell()
  const others = me.organizations.filter(({ id }) => id !== organization.id)
  return (
    <Page title={`No such ${what}`}>
      <section className="card">
        <Empty
          title={`It is not in ${organization.name}`}
          action={
            <Link to={back} className="btn">
              Go to the list
            </Link>
          }
        >
          It was deleted
          {others.length > 0
            ? ', or it belongs to another organization of yours'
            : ', or the address is mistyped'}
          .
        </Empty>
        {others.length > 0 && (
          <footer className="row wrap">
            <span>Look in</span>
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
