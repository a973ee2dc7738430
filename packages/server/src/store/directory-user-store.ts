import type { Person, PersonFacts } from '../domain/directory-user.ts'
import type { TenantId } from '../domain/tenant.ts'
import type { KnownPage, KnownQuery } from './enrichment-list.ts'
import type { Change, ChangeTerms } from './change.ts'
import type { Stated, Upserted } from './upsert.ts'

export const personSortFields = ['name', 'email', 'department', 'is_privileged', 'last_seen', 'open_alerts'] as const
export type PersonSortField = (typeof personSortFields)[number]
export type PersonQuery = KnownQuery<PersonFilter, PersonSortField>

/** Several values of one mean any of them. */
export type PersonFilter = {
  readonly departments?: readonly string[] | undefined
  readonly isPrivileged?: boolean | undefined
}

/** What is stated of a person who may be known; what is left out stays as it is. */
export type NewPerson = Pick<PersonFacts, 'name'> & Partial<PersonFacts>

/** A person, and how many alerts with their name as user somebody has yet to close. */
export type PersonWithAlerts = Person & { readonly openAlertCount: number }

/** Keeps the persons of tenants. */
export type PersonStore = {
  /** Makes or changes persons, all or none; the name says which is which. */
  readonly upsert: (tenant: TenantId, stated: readonly Stated<NewPerson>[], at: number) => Promise<readonly Upserted[]>
  readonly get: (tenant: TenantId, id: string) => Promise<PersonWithAlerts | undefined>
  readonly list: (tenant: TenantId, query: PersonQuery) => Promise<KnownPage<PersonWithAlerts>>
  /** Who has the name; of several, the one whose own it is most, then the first by id. */
  readonly findByName: (tenant: TenantId, name: string) => Promise<Person | undefined>
  /** Changes all but the name, which says who it is. */
  readonly update: (
    tenant: TenantId,
    id: string,
    change: Partial<Omit<PersonFacts, 'name'>>,
    terms: ChangeTerms,
  ) => Promise<Change<Person>>
  /** Says whether there was such a person. */
  readonly remove: (tenant: TenantId, id: string) => Promise<boolean>
}
