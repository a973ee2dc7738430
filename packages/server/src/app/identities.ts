import type { PersonFacts } from '../domain/person.ts'
import { personSortFields } from '../store/person-store.ts'
import type { NewPerson, PersonQuery, PersonWithAlerts } from '../store/person-store.ts'
import type { KnownKind } from './known.ts'

export { personSortFields }
export type { PersonQuery, PersonWithAlerts }

/** Persons, whom the API calls identities. */
export const identityKind: KnownKind<PersonWithAlerts, NewPerson, Partial<Omit<PersonFacts, 'name'>>, PersonQuery> = {
  name: 'identity',
  storeOf: ({ persons }) => persons,
}
