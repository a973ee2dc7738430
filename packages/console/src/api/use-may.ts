import { useQuery } from '@tanstack/react-query'
import type { ProfileBody } from '@tripline/contract/console/account'
import { callApi } from './client.ts'
import { useUser } from './use-user.ts'

/**
 * Whether the server allows the user what a permission of its table names; false until it has answered. The table of roles is
 * the server's alone.
 */
export function useMay(permission: 'update_alerts' | 'edit_rules'): boolean {
  const { id } = useUser()
  const { data } = useQuery({
    queryKey: ['me', id],
    queryFn: ({ signal }) => callApi<ProfileBody>('/v1/auth/me', { signal }),
  })
  return data?.permissions.includes(permission) === true
}
