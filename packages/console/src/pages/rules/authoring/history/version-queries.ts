import { useQuery } from '@tanstack/react-query'
import type { UseQueryResult } from '@tanstack/react-query'
import type { RuleVersionBody, RuleVersionListBody } from '@tripline/contract/console/rules/rule-authoring'
import { callApi } from '../../../../api/client.ts'
import { queryClient } from '../../../../api/query-client.ts'
import { toRulePath } from '../../rule-queries.ts'

/** The kept versions of a rule, newest first. */
export function useVersions(id: string): UseQueryResult<RuleVersionListBody['versions']> {
  return useQuery({
    queryKey: ['rules', 'versions', id],
    queryFn: async ({ signal }) => (await callApi<RuleVersionListBody>(`${toRulePath(id)}/versions`, { signal })).versions,
  })
}

/** The text of a version; undefined while none is chosen. */
export function useVersion(id: string, version: string | undefined): UseQueryResult<RuleVersionBody> {
  return useQuery({
    queryKey: ['rules', 'versions', id, version],
    queryFn: ({ signal }) => callApi<RuleVersionBody>(`${toRulePath(id)}/versions/${encodeURIComponent(version ?? '')}`, { signal }),
    enabled: version !== undefined,
    staleTime: Infinity,
  })
}

/** Gives a rule the text of an earlier version, as a new version. @throws ApiError. */
export async function restoreVersion(id: string, version: number, etag: string): Promise<void> {
  const path = `${toRulePath(id)}/versions/${version}/restore`
  await callApi<unknown>(path, { method: 'POST', ifMatch: etag })
  await queryClient.invalidateQueries({ queryKey: ['rules'] })
}
