import { Outlet, useMatches } from '@tanstack/react-router'
import { PATHS } from '../../../src/domain/values/dashboard-paths.ts'
import { notFoundText } from '../messages/entry/not-found.ts'
import { useMay, useOrganization } from '../session/organization.ts'
import { ButtonLink } from '../ui/button.tsx'
import { Empty } from '../ui/loading.tsx'
import { Page } from '../ui/page.tsx'
import { roleLabel } from '../ui/role-label.ts'

const text = notFoundText.notAllowed

/** The screen, if the person's role allows it. */
export function Allowed() {
  const needs = useMatches({ select: (matches) => matches.at(-1)?.staticData.needs })
  const may = useMay(needs ?? 'READ_ONLY')
  if (may || needs === undefined) return <Outlet />
  return <NotAllowed />
}

function NotAllowed() {
  const { role, name } = useOrganization()
  return (
    <Page title={text.title}>
      <section className="card">
        <Empty
          title={text.role({ organization: name, role: roleLabel(role) })}
          action={<ButtonLink to={PATHS.monitors}>{notFoundText.page.action}</ButtonLink>}
        >
          {text.about}
        </Empty>
      </section>
    </Page>
  )
}
