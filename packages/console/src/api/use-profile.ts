import { useQuery } from '@tanstack/react-query'
import type { ProfileBody } from '@tripline/contract/console/access/account'
import { tenantZone } from '../lib/format-time.ts'
import { callApi } from './client.ts'
import { useUser } from './use-user.ts'

/** The user as the server knows it, with rights and tenant. */
export function useProfile(): ProfileBody | undefined {
  const { id } = useUser()
  const { data } = useQuery({
    queryKey: ['me', id],
    queryFn: async ({ signal }) => {
      const profile = await callApi<ProfileBody>('/v1/auth/me', { signal })
      tenantZone.set(profile.tenant.timezone)
      return profile
    },
  })
  return data
}

/** The tenant by name, and the other tenants that the account belongs to; undefined until the server has answered. */
export function useTenants(): { readonly name: string; readonly others: ProfileBody['tenants'] } | undefined {
  const profile = useProfile()
  return profile && { name: profile.tenant.name, others: profile.tenants }
}

/** Minutes within which alerts and incidents of a severity are to be closed; undefined until the server has answered. */
export function useResponseTargets(): ProfileBody['tenant']['response_targets'] | undefined {
  return useProfile()?.tenant.response_targets
}

/** Whether any severity has such a target. */
export function useHasTargets(): boolean {
  return Object.values(useResponseTargets() ?? {}).some((minutes) => minutes !== null)
}
