// A tool that assistants may call through the Model Context Protocol.
import type { Static, TObject, TProperties, TSchema } from 'typebox'
import type { ObjectSchema } from '../operation.ts'
import { Type } from '../type.ts'

export type ToolContract<Input = ObjectSchema> = {
  name: string
  title: string
  /** For the assistant, which chooses a tool by it. All tools together must stay small. */
  description: string
  writes: boolean
  /** Reaches people, or stops something: an assistant should ask before. */
  needsCare: boolean
  input: Input
}

/** What a call of the tool has to say. */
export type ToolInput<Tool> = Tool extends { input: infer Input extends TSchema }
  ? Static<Input>
  : never

type Description<Properties extends TProperties> = {
  name: string
  title: string
  description: string
  input: Properties
}

export function readTool<P extends TProperties>(tool: Description<P>): ToolContract<TObject<P>> {
  return { ...tool, writes: false, needsCare: false, input: closedInput(tool.input) }
}

const requestKey = Type.String({
  minLength: 1,
  maxLength: 150,
  pattern: '^[A-Za-z0-9._:-]+$',
  description:
    'A new unique key for this change, such as a UUID. Repeat it to retry: the change happens once.',
})

/** Every change takes a key of the caller, because ids of calls repeat. */
export function writeTool<P extends TProperties>(
  tool: Description<P> & { needsCare?: boolean },
): ToolContract<TObject<P & { requestKey: typeof requestKey }>> {
  const { needsCare = false } = tool
  return { ...tool, writes: true, needsCare, input: closedInput({ ...tool.input, requestKey }) }
}

function closedInput<P extends TProperties>(properties: P): TObject<P> {
  return Type.Object(properties, { additionalProperties: false })
}
