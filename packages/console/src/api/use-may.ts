import { useProfile } from './use-profile.ts'

/** The permissions of the server's table that decide what pages show. */
type UsedPermission =
  | 'update_alerts' | 'answer_alerts' | 'edit_rules' | 'edit_connectors' | 'administer_tenant' | 'read_webhooks' | 'edit_webhooks'
  | 'edit_playbooks' | 'read_requests' | 'edit_requests' | 'read_audit'
  | 'attest_compliance' | 'collect_evidence' | 'export_all' | 'suppress_briefly'

/**
 * Whether the server allows the user what a permission of its table names; false until it has answered. The table of roles is
 * the server's alone.
 */
export function useMay(permission: UsedPermission): boolean {
  return useProfile()?.permissions.includes(permission) === true
}
