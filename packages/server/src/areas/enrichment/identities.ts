import type { DirectoryUserFacts } from '@tripline/model/enrichment/directory-user'
import type { NewDirectoryUser, DirectoryUserWithAlerts } from '@tripline/state/ports/enrichment/directory-user-store'
import type { EnrichmentKind } from './enrichment-records.ts'

export type { DirectoryUserWithAlerts }

/** Directory users, which the API calls identities. */
export const identityKind: EnrichmentKind<DirectoryUserWithAlerts, NewDirectoryUser, Partial<Omit<DirectoryUserFacts,
  'name'>>> = {
  name: 'identity',
  getStore: ({ directoryUsers }) => directoryUsers,
}
