import type { DirectoryUser, DirectoryUserFacts } from '@tripline/model/enrichment/directory-user'
import type { TenantId } from '@tripline/model/tenant'
import type { ChangeResult, ChangeTerms } from '../change.ts'
import type { UpsertInput, UpsertOutcome } from './enrichment-store.ts'
import type { TenantList } from '../list-query.ts'
import type { ObservationTerms } from './subdomain-store.ts'

/** The stated fields of a directory user; others stay unchanged. */
export type NewDirectoryUser = Pick<DirectoryUserFacts, 'name'> & Partial<DirectoryUserFacts>

/** A directory user, and the number of open alerts with their name as user. */
export type DirectoryUserWithAlerts = DirectoryUser & { readonly openAlertCount: number }

/** A user of an event; the id is for one that is new. */
export type UserSighting = { readonly id: string; readonly name: string; readonly email: string; readonly at: number }

/** Stores the directory users of tenants. */
export type DirectoryUserStore = TenantList<DirectoryUserWithAlerts> & {
  /** Creates or updates directory users, all or none, by name. */
  readonly upsert: (tenant: TenantId, stated: readonly UpsertInput<NewDirectoryUser>[], at: number) => Promise<readonly UpsertOutcome[]>
  /**
   * Adds what events told: when a user was last seen, under any of the names, and users that nothing told of before. Neither
   * counts as a change of version. Beyond a bound those that events alone tell of are evicted, oldest first.
   */
  readonly observe: (tenant: TenantId, sightings: readonly UserSighting[], terms: ObservationTerms) => Promise<void>
  readonly get: (tenant: TenantId, id: string) => Promise<DirectoryUserWithAlerts | undefined>
  /** The directory user with a name; of several, the one with the best rank, then the first by id. */
  readonly findByName: (tenant: TenantId, name: string) => Promise<DirectoryUser | undefined>
  /** Changes everything but the name, which is the key. */
  readonly update: (
    tenant: TenantId,
    id: string,
    change: Partial<Omit<DirectoryUserFacts, 'name'>>,
    terms: ChangeTerms,
  ) => Promise<ChangeResult<DirectoryUser>>
  /** Returns whether the directory user existed. */
  readonly remove: (tenant: TenantId, id: string) => Promise<boolean>
}
