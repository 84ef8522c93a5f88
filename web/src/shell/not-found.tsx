import { PATHS } from '../../../src/domain/values/dashboard-paths.ts'
import { ButtonLink } from '../ui/button.tsx'
import { Empty } from '../ui/loading.tsx'
import { Page } from '../ui/page.tsx'
import { AuthPage } from './auth-page.tsx'

/** A URL that matches no screen, for people who may not be signed in. */
export function NotFound() {
  return (
    <AuthPage
      title="There is nothing here"
      about="The address is mistyped, or what was here is gone."
    >
      <a className="btn lg block" href={PATHS.home}>
        Go to the monitors
      </a>
    </AuthPage>
  )
}

/** A dashboard URL that matches no screen. */
export function PageNotFound() {
  return (
    <Page title="There is nothing here">
      <section className="card">
        <Empty
          title="This address leads nowhere"
          action={<ButtonLink to={PATHS.monitors}>Go to the monitors</ButtonLink>}
        >
          It is mistyped, or what was here is gone.
        </Empty>
      </section>
    </Page>
  )
}
