import { useQuery } from '@tanstack/react-query'
import type { UseQueryResult } from '@tanstack/react-query'
import type { SignOnBody, SignOnChangeBody } from '@tripline/contract/console/access/sign-on'
import { callApi, sendApi } from '../../api/client.ts'
import { queryClient } from '../../api/query-client.ts'

type VersionedSignOn = { readonly signOn: SignOnBody; readonly etag: string | undefined }

const path = '/v1/settings/sso'
const key = ['settings', 'sign-on'] as const

/** How users of the tenant log in at its identity provider. */
export function useSignOn(): UseQueryResult<VersionedSignOn> {
  return useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => {
      const { body, etag } = await sendApi<SignOnBody>(path, { signal })
      return { signOn: body, etag }
    },
  })
}

/** Changes it under the version that was read; a client secret that is left out is kept. @throws ApiError. */
export async function saveSignOn(change: SignOnChangeBody): Promise<void> {
  const known = queryClient.getQueryData<VersionedSignOn>(key)
  const { body, etag } = await sendApi<SignOnBody>(path, { method: 'PUT', body: change, ifMatch: known?.etag })
  queryClient.setQueryData<VersionedSignOn>(key, { signOn: body, etag })
}

/** Leaves for the provider to log in as a test; the browser comes back to this page. @throws ApiError. */
export async function startTestLogin(): Promise<void> {
  const { url } = await callApi<{ readonly url: string }>(`${path}/test`, { method: 'POST' })
  window.location.assign(url)
}
