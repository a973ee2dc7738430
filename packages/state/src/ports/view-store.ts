import type { SavedView } from '@tripline/model/saved-view'
import type { TenantId } from '@tripline/model/tenant'
import type { ChangeResult, ChangeTerms } from './change.ts'

export type ViewChange = Partial<Pick<SavedView, 'name' | 'query' | 'isShared'>>

/** Stores saved views. Those of a user that are not shared are removed with the user. */
export type ViewStore = {
  /** @throws Error if the id is taken. */
  readonly insert: (tenant: TenantId, view: SavedView) => Promise<void>
  readonly get: (tenant: TenantId, id: string) => Promise<SavedView | undefined>
  /** The views that a user owns and those that are shared, by name and id. */
  readonly list: (tenant: TenantId, userId: string) => Promise<readonly SavedView[]>
  readonly update: (tenant: TenantId, id: string, change: ViewChange, terms: ChangeTerms) => Promise<ChangeResult<SavedView>>
  /** Returns whether the view existed. */
  readonly remove: (tenant: TenantId, id: string) => Promise<boolean>
}
