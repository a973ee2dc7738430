import { useQuery } from '@tanstack/react-query'
import type { UseQueryResult } from '@tanstack/react-query'
import type { SettingsBody } from '@tripline/contract/console/access/tenant'
import { callApi, sendApi } from '../../api/client.ts'
import { queryClient } from '../../api/query-client.ts'

type VersionedSettings = { readonly settings: SettingsBody; readonly etag: string | undefined }
type RetentionPatch = Partial<SettingsBody['retention']>

/** A change of settings; what is not named is kept. */
type SettingsPatch = Partial<Omit<SettingsBody, 'retention'>> & { readonly retention?: RetentionPatch }

const settingsKey = ['settings', 'tenant'] as const

/** The settings of the tenant with their version. */
export function useSettings(): UseQueryResult<VersionedSettings> {
  return useQuery({
    queryKey: settingsKey,
    queryFn: async ({ signal }) => {
      const { body, etag } = await sendApi<SettingsBody>('/v1/settings', { signal })
      return { settings: body, etag }
    },
  })
}

/** Changes settings under the version that was read. @throws ApiError. */
export async function saveSettings(patch: SettingsPatch): Promise<void> {
  const known = queryClient.getQueryData<VersionedSettings>(settingsKey)
  const { body, etag } = await sendApi<SettingsBody>('/v1/settings', { method: 'PATCH', body: patch, ifMatch: known?.etag })
  queryClient.setQueryData<VersionedSettings>(settingsKey, { settings: body, etag })
}

/** Reads one of the lists of the settings, or that of one entry, `of`; `refreshList` reads it again. */
export function useList<Body>(
  name: string, path: string, query: Readonly<Record<string, string>> = {}, of?: string,
): UseQueryResult<Body> {
  return useQuery({
    queryKey: ['settings', name, query, ...(of === undefined ? [] : [of])],
    queryFn: ({ signal }) => callApi<Body>(path, { query, signal }),
  })
}

/** Reads a list again after a change. */
export async function refreshList(name: string): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: ['settings', name] })
}
