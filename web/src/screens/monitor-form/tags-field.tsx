// The tags of this monitor. They are no field of the monitor itself, and are saved after it.
import { callOrganizationApi } from '../../api/call.ts'
import { monitorFormText } from '../../messages/monitors/monitor-form.ts'
import { useRead } from '../../session/use-api.ts'
import { TagInput } from '../../shared/tag-input.tsx'
import { parseTags } from '../../shared/tags.ts'

/** As typed; undefined until it is changed. */
export type TagsText = string | undefined

type Props = {
  monitorId: string | undefined
  text: TagsText
  onChange: (text: string) => void
}

export function TagsField({ monitorId, text, onChange }: Props) {
  const screen = useRead(
    'GET /overview/monitors/{monitorId}',
    { params: { monitorId: monitorId ?? '' } },
    { enabled: monitorId !== undefined },
  )
  const now = screen.data?.tags.map(({ name }) => name).join(', ') ?? ''
  return <TagInput label={monitorFormText.tags} value={text ?? now} onChange={onChange} />
}

/** Runs after the monitor is saved. */
export async function saveTags(
  organizationId: string,
  monitorId: string,
  text: TagsText,
): Promise<void> {
  if (text === undefined) return
  await callOrganizationApi(organizationId, 'POST /monitors/{monitorId}/tags', {
    params: { monitorId },
    body: { names: parseTags(text) },
  })
}
