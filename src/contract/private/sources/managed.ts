// Which configuration file manages a resource: people who edit it should know that the file wins.
import { closed, input } from '../../schema.ts'
import { Type } from '../../type.ts'
import { privateOperation } from '../operation.ts'

const MAX_IDS = 100

/** Resources that no file manages are left out. */
export const listManagedResources = privateOperation({
  id: 'listManagedResources',
  method: 'GET',
  path: '/managed-resources',
  who: 'READ_ONLY',
  query: input({
    id: Type.Array(Type.String({ maxLength: 64 }), { maxItems: MAX_IDS, default: [] }),
  }),
  reply: {
    status: 200,
    body: closed({
      data: Type.Array(
        closed({
          id: Type.String(),
          source: Type.String(),
          /** Its place in the source, such as `monitors.checkout`. */
          address: Type.String(),
        }),
      ),
    }),
  },
})
