import type { DirectoryUserFacts } from '../../model/enrichment/directory-user.ts'
import type { NewDirectoryUser, DirectoryUserWithAlerts } from '../../state/ports/directory-user-store.ts'
import type { EnrichmentKind } from './enrichment-records.ts'

export type { DirectoryUserWithAlerts }

/** Directory users, which the API calls identities. */
export const identityKind: EnrichmentKind<DirectoryUserWithAlerts, NewDirectoryUser, Partial<Omit<DirectoryUserFacts,
  'name'>>> = {
  name: 'identity',
  getStore: ({ directoryUsers }) => directoryUsers,
}
