import { useQuery } from '@tanstack/react-query'
import type { ProfileBody } from '@tripline/contract/console/access/account'
import { tenantZone } from '../lib/format-time.ts'
import { callApi } from './client.ts'
import { useUser } from './use-user.ts'

/** The permissions of the server's table that decide what pages show. */
type UsedPermission =
  | 'update_alerts' | 'answer_alerts' | 'edit_rules' | 'edit_connectors' | 'administer_tenant' | 'read_webhooks' | 'edit_webhooks'
  | 'edit_playbooks' | 'read_requests' | 'edit_requests' | 'read_audit'
  | 'attest_compliance' | 'collect_evidence' | 'export_all' | 'suppress_briefly'

/** The user as the server knows it, with rights and tenant. */
function useProfile(): ProfileBody | undefined {
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

/**
 * Whether the server allows the user what a permission of its table names; false until it has answered. The table of roles is
 * the server's alone.
 */
export function useMay(permission: UsedPermission): boolean {
  return useProfile()?.permissions.includes(permission) === true
}

/** Minutes within which alerts and incidents of a severity are to be closed; undefined until the server has answered. */
export function useResponseTargets(): ProfileBody['tenant']['response_targets'] | undefined {
  return useProfile()?.tenant.response_targets
}

/** Whether any severity has such a target. */
export function useHasTargets(): boolean {
  return Object.values(useResponseTargets() ?? {}).some((minutes) => minutes !== null)
}
