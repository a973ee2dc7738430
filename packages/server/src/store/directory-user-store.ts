import type { DirectoryUser, DirectoryUserFacts } from '../domain/directory-user.ts'
import type { TenantId } from '../domain/tenant.ts'
import type { EnrichmentPage, EnrichmentQuery } from './enrichment-list.ts'
import type { ChangeResult, ChangeTerms } from './change.ts'
import type { UpsertInput, UpsertOutcome } from './upsert.ts'

export const directoryUserSortFields = ['name', 'email', 'department', 'is_privileged', 'last_seen', 'open_alerts'] as const
export type DirectoryUserSortField = (typeof directoryUserSortFields)[number]
export type DirectoryUserQuery = EnrichmentQuery<DirectoryUserFilter, DirectoryUserSortField>

/** Several values of one mean any of them. */
export type DirectoryUserFilter = {
  readonly departments?: readonly string[] | undefined
  readonly isPrivileged?: boolean | undefined
}

/** What is stated of a person who may be known; what is left out stays as it is. */
export type NewDirectoryUser = Pick<DirectoryUserFacts, 'name'> & Partial<DirectoryUserFacts>

/** A person, and how many alerts with their name as user somebody has yet to close. */
export type DirectoryUserWithAlerts = DirectoryUser & { readonly openAlertCount: number }

/** Keeps the persons of tenants. */
export type DirectoryUserStore = {
  /** Makes or changes persons, all or none; the name says which is which. */
  readonly upsert: (tenant: TenantId, stated: readonly UpsertInput<NewDirectoryUser>[], at: number) => Promise<readonly UpsertOutcome[]>
  readonly get: (tenant: TenantId, id: string) => Promise<DirectoryUserWithAlerts | undefined>
  readonly list: (tenant: TenantId, query: DirectoryUserQuery) => Promise<EnrichmentPage<DirectoryUserWithAlerts>>
  /** Who has the name; of several, the one whose own it is most, then the first by id. */
  readonly findByName: (tenant: TenantId, name: string) => Promise<DirectoryUser | undefined>
  /** Changes all but the name, which says who it is. */
  readonly update: (
    tenant: TenantId,
    id: string,
    change: Partial<Omit<DirectoryUserFacts, 'name'>>,
    terms: ChangeTerms,
  ) => Promise<ChangeResult<DirectoryUser>>
  /** Says whether there was such a person. */
  readonly remove: (tenant: TenantId, id: string) => Promise<boolean>
}
