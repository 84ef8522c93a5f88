// Binds a tool of the contract to what it does.
import type { ToolContract, ToolInput } from '../../contract/mcp/tool.ts'
import type { Invoke } from './invoke.ts'

export type BoundTool = {
  contract: ToolContract
  /** `args` were validated by the contract's schema. The result is shortened and sent as JSON. */
  run(args: unknown, invoke: Invoke): Promise<unknown>
}

export function bindTool<Tool extends ToolContract>(
  contract: Tool,
  run: (args: ToolInput<Tool>, invoke: Invoke) => Promise<unknown>,
): BoundTool {
  // Safe because the protocol's library validates the arguments with this same schema.
  return { contract, run: run as unknown as BoundTool['run'] }
}
