import { queryOptions } from '@tanstack/react-query'
import { callApi } from './client.ts'
import { queryClient } from './query-client.ts'

/** What the server keeps for a user, by names that the pages choose. */
export type Preferences = { readonly [name: string]: unknown }

const path = '/v1/me/preferences'

/** The preferences of the user, read once. */
export const preferencesQuery = queryOptions({
  queryKey: ['preferences'],
  queryFn: async ({ signal }) => (await callApi<{ readonly preferences: Preferences }>(path, { signal })).preferences,
  staleTime: Infinity,
})

/** Replaces some preferences, and sends them if that changes any; an undefined one is removed. @throws ApiError. */
export async function changePreferences(change: Preferences): Promise<void> {
  const known = await queryClient.fetchQuery(preferencesQuery)
  const preferences = { ...known, ...change }
  if (JSON.stringify(preferences) === JSON.stringify(known)) return
  await callApi(path, { method: 'PUT', body: { preferences } })
  queryClient.setQueryData(preferencesQuery.queryKey, preferences)
}
