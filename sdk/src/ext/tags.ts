// Made from openapi-ext.json by sdk/make-sdk.ts. Edit the contract and make it again, not this file.
import type { Deleted } from '../api/shared.ts'
import type { Call } from '../client/call.ts'
import type { List } from '../client/list.ts'
import type { CallOptions, WriteOptions } from '../client/options.ts'
import type { ChosenRegions, RegionSetting, RegionSettingInput } from './shared.ts'

export type Tag = {
  /** Id of the tag. */
  id: string
  /** Name for people. */
  name: string
  /** How many monitors have it. */
  monitors: number
  /** Names of the status pages with a section that follows it: they show every monitor that has it. */
  statusPages: string[]
  /** The regions that were chosen for it. Null if none were. */
  regions: ChosenRegions | null
}

export type TagInput = {
  /** Name for people. No two tags differ only in case. */
  name: string
}

export type TagsQuery = Record<string, never>

export type Tags = {
  /** Get the regions of a tag. */
  regions(id: string, options?: CallOptions): Call<RegionSetting>
  /** Choose the regions of a tag. */
  putRegions(id: string, input: RegionSettingInput, options?: WriteOptions): Call<RegionSetting>
  /** Remove the setting of a tag. */
  deleteRegions(id: string, options?: WriteOptions): Call<Deleted>
  /** List tags. */
  list(query?: TagsQuery, options?: CallOptions): List<Tag>
  /** Create a tag. */
  create(input: TagInput, options?: WriteOptions): Call<Tag>
  /** Rename a tag. */
  rename(id: string, input: TagInput, options?: WriteOptions): Call<Tag>
  /** Delete a tag. */
  delete(id: string, options?: WriteOptions): Call<Deleted>
}
