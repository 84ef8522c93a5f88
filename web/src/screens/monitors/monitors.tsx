import { useRead } from '../../api/use-own.ts'
import { plural } from '../../time/figures.ts'
import { zoneName } from '../../time/format.ts'
import { useAddress } from '../../ui/address.ts'
import { Empty, Loaded, SkeletonRows } from '../../ui/loading.tsx'
import { Page } from '../../ui/page.tsx'
import { Pages } from '../../ui/pages.tsx'
import { StateWord } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'

const PAGE_SIZE = 25
const ADDRESS = { page: '1' }

export function Monitors() {
  const [address] = useAddress(ADDRESS)
  const offset = (Number(address.page) - 1) * PAGE_SIZE
  const list = useRead('GET /monitors', { query: { limit: PAGE_SIZE, offset } })
  const total = list.data?.pagination.total
  return (
    <Page
      title="Monitors"
      about={`${total === undefined ? '' : plural(total, 'monitor')}. Times in ${zoneName()}.`}
    >
      <section className="card">
        <table className="table monitors">
          <thead>
            <tr>
              <th>Name</th>
              <th>Type</th>
              <th>State</th>
              <th className="end">Checked</th>
            </tr>
          </thead>
          <tbody>
            <Loaded
              query={list}
              loading={<SkeletonRows rows={8} widths={['50%', '30%', '40%', '20%']} />}
            >
              {({ data }) =>
                data.map(
                  ({ id, name, type, url, host, state, lastStatusChangedAt, lastCheckedAt }) => (
                    <tr key={id}>
                      <td className="name">
                        <div className="two">
                          <span className="truncate" title={name}>
                            <bdi>{name}</bdi>
                          </span>
                          <span className="truncate">{url ?? host}</span>
                        </div>
                      </td>
                      <td className="opt">
                        <span className="type">{type}</span>
                      </td>
                      <td className="st">
                        <StateWord state={state}>
                          {state === 'UP' ? undefined : (
                            <Time at={lastStatusChangedAt} as="since" none="" />
                          )}
                        </StateWord>
                      </td>
                      <td className="end opt when">
                        <Time at={lastCheckedAt} as="ago" none="not yet" />
                      </td>
                    </tr>
                  ),
                )
              }
            </Loaded>
          </tbody>
        </table>
        {total === 0 && (
          <Empty title="No monitors yet">
            A monitor looks at an address again and again, and tells you when it does not answer.
          </Empty>
        )}
      </section>
      {list.data && <Pages {...list.data.pagination} />}
    </Page>
  )
}
