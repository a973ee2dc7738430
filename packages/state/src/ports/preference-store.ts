import type { Preferences } from '@tripline/model/preferences'
import type { TenantId } from '@tripline/model/tenant'
import type { ChangeResult, ChangeTerms } from './change.ts'

/** Stores the preferences of users; they are removed with the user. */
export type PreferenceStore = {
  /** Those of version 0, which are empty, where none are stored. */
  readonly get: (tenant: TenantId, userId: string) => Promise<Preferences>
  /** Replaces all preferences of a user; `missing` if the tenant has no such user. */
  readonly put: (
    tenant: TenantId, userId: string, content: Preferences['content'], terms: ChangeTerms,
  ) => Promise<ChangeResult<Preferences>>
}
