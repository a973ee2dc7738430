import type { PersonFacts } from '../domain/directory-user.ts'
import { personSortFields } from '../store/directory-user-store.ts'
import type { NewPerson, PersonQuery, PersonWithAlerts } from '../store/directory-user-store.ts'
import type { KnownKind } from './enrichment-records.ts'

export { personSortFields }
export type { PersonQuery, PersonWithAlerts }

/** Persons, whom the API calls identities. */
export const identityKind: KnownKind<PersonWithAlerts, NewPerson, Partial<Omit<PersonFacts, 'name'>>, PersonQuery> = {
  name: 'identity',
  storeOf: ({ persons }) => persons,
}
