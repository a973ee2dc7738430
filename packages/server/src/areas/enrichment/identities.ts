import type { DirectoryUserFacts } from '../../model/enrichment/directory-user.ts'
import { directoryUserSortFields } from '../../state/ports/directory-user-store.ts'
import type { NewDirectoryUser, DirectoryUserQuery, DirectoryUserWithAlerts } from '../../state/ports/directory-user-store.ts'
import type { EnrichmentKind } from './enrichment-records.ts'

export { directoryUserSortFields }
export type { DirectoryUserQuery, DirectoryUserWithAlerts }

/** Directory users, which the API calls identities. */
export const identityKind: EnrichmentKind<DirectoryUserWithAlerts, NewDirectoryUser, Partial<Omit<DirectoryUserFacts,
  'name'>>, DirectoryUserQuery> = {
  name: 'identity',
  getStore: ({ directoryUsers }) => directoryUsers,
}
