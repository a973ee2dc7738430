/** Roles of users in a tenant; `operator` runs the platform and sees no tenant data. */
export const roles = ['viewer', 'analyst', 'engineer', 'admin', 'auditor', 'operator'] as const
export type Role = (typeof roles)[number]

/** Scopes of API keys. */
const keyScopes = ['read_only', 'read_write'] as const
export type KeyScope = (typeof keyScopes)[number]

/** What a principal's permissions derive from. */
export type Grant = Role | KeyScope

/** The permission matrix; what no row grants is refused. */
export const permissions = {
  /** The user's own password, second factor and profile. */
  own_account: ['viewer', 'analyst', 'engineer', 'admin', 'auditor', 'operator'],
  /** Dashboards, alerts, incidents, rules, assets, searches, pipeline, health. */
  read: ['viewer', 'analyst', 'engineer', 'admin', 'auditor', 'read_only', 'read_write'],
  /** Alerts and incidents, their comments, runs of playbooks. */
  update_alerts: ['analyst', 'engineer', 'admin', 'read_write'],
  /** A comment and a verdict: what a customer answers. */
  answer_alerts: ['viewer', 'analyst', 'engineer', 'admin', 'read_write'],
  /** Suppressions and exceptions of at most seven days; longer ones. */
  suppress_briefly: ['analyst', 'engineer', 'admin'],
  suppress: ['engineer', 'admin'],
  test_rules: ['viewer', 'analyst', 'engineer', 'admin'],
  backtest_rules: ['analyst', 'engineer', 'admin'],
  /** Text, state and tests of rules. */
  edit_rules: ['engineer', 'admin'],
  /** Connectors and collectors. */
  edit_connectors: ['engineer', 'admin'],
  /** Assets of an inventory, through the public API. */
  import_assets: ['engineer', 'admin', 'read_write'],
  /** Sending events to the pipeline; connectors use their own tokens. */
  send_events: ['engineer', 'admin', 'read_write'],
  /** Playbooks; running one is an update of alerts. */
  edit_playbooks: ['engineer', 'admin'],
  /** Webhooks and channels. */
  read_webhooks: ['engineer', 'admin', 'read_only', 'read_write'],
  edit_webhooks: ['engineer', 'admin', 'read_write'],
  attest_compliance: ['engineer', 'admin', 'auditor'],
  /** The register of requests that persons made about their data: it names them. */
  read_requests: ['engineer', 'admin', 'auditor', 'read_only', 'read_write'],
  edit_requests: ['engineer', 'admin'],
  collect_evidence: ['engineer', 'admin', 'read_write'],
  /** Reports and exports of data that the user can see; of the whole tenant. */
  export_own: ['viewer', 'analyst', 'engineer', 'admin', 'auditor', 'read_only', 'read_write'],
  export_all: ['analyst', 'engineer', 'admin', 'auditor', 'read_only', 'read_write'],
  /** Users, single sign-on, role mapping, retention, API keys, plan. */
  administer_tenant: ['admin'],
  /** The audit trail: reading and verifying it in the console; exporting it. */
  read_audit: ['admin', 'auditor'],
  export_audit: ['admin', 'auditor', 'read_only', 'read_write'],
  /** Tenants, their plans, the health of the installation. */
  administer_platform: ['operator'],
} as const satisfies { readonly [action: string]: readonly Grant[] }

export type Permission = keyof typeof permissions

/** Whether one of these roles or scopes has a permission. */
export function isAllowed(grants: readonly Grant[], action: Permission): boolean {
  const allowed: readonly Grant[] = permissions[action]
  return grants.some((grant) => allowed.includes(grant))
}

/** Whether a text names a permission. */
export function isPermission(text: string): text is Permission {
  return Object.hasOwn(permissions, text)
}

/** Whether a text is a role name; API key scopes are not, so no token can claim one. */
export function isRole(text: unknown): text is Role {
  return roles.some((role) => role === text)
}
