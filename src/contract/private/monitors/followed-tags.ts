// Sections of a status page that follow a tag. The public API shows their components like any others.
import { closed, input, nullable } from '../../schema.ts'
import { Type } from '../../type.ts'
import { privateOperation } from '../operation.ts'

/** Publishes the names of monitors, now and whenever a monitor gets the tag. */
export const setSectionTag = privateOperation({
  id: 'setSectionTag',
  missing: 'section',
  method: 'POST',
  path: '/status-pages/{statusPageId}/sections/{sectionId}/tag',
  who: 'MEMBER',
  needsSubscription: true,
  params: Type.Object({
    statusPageId: Type.String(),
    sectionId: Type.String(),
  }),
  body: {
    schema: input({
      /** Null ends it; the section keeps its components. */
      tagId: nullable(Type.String()),
      /** How many monitors the person was shown: refused if more have the tag by now. */
      expected: Type.Integer({ minimum: 0, default: 0 }),
    }),
    required: true,
  },
  reply: {
    status: 200,
    body: closed({ sectionId: Type.String(), tagId: nullable(Type.String()) }),
  },
})
