/** What a user may be in a tenant (section 5); `operator` runs the platform and sees no tenant's data. */
export const roles = ['viewer', 'analyst', 'engineer', 'admin', 'auditor', 'operator'] as const
export type Role = (typeof roles)[number]

/** What a key may be used for. */
const keyScopes = ['read_only', 'read_write'] as const
export type KeyScope = (typeof keyScopes)[number]

/** Whoever asks does so as one of these. */
export type Grant = Role | KeyScope

/**
 * Who may do what: section 5 of the decisions, cut so that every cell is yes or no. What no row grants to
 * somebody is refused.
 */
export const permissions = {
  /** One's own password and second factor, and who one is. */
  own_account: ['viewer', 'analyst', 'engineer', 'admin', 'auditor', 'operator'],
  /** Dashboards, alerts, incidents, rules, assets, searches, pipeline, health. */
  read: ['viewer', 'analyst', 'engineer', 'admin', 'auditor', 'read_only', 'read_write'],
  /** Alerts and incidents, their comments, runs of playbooks. */
  update_alerts: ['analyst', 'engineer', 'admin', 'read_write'],
  /** Suppressions and exceptions of at most seven days; longer ones. */
  suppress_briefly: ['analyst', 'engineer', 'admin'],
  suppress: ['engineer', 'admin'],
  test_rules: ['viewer', 'analyst', 'engineer', 'admin'],
  backtest_rules: ['analyst', 'engineer', 'admin'],
  /** Text, switches and saved tests of rules. */
  edit_rules: ['engineer', 'admin'],
  /** Connectors and collectors. */
  edit_connectors: ['engineer', 'admin'],
  /** Events into the pipeline, beside what connectors with tokens of their own send. */
  send_events: ['engineer', 'admin', 'read_write'],
  /** Webhooks and channels. */
  read_webhooks: ['engineer', 'admin', 'read_only', 'read_write'],
  edit_webhooks: ['engineer', 'admin', 'read_write'],
  attest_compliance: ['engineer', 'admin', 'auditor'],
  collect_evidence: ['engineer', 'admin', 'read_write'],
  /** Reports and exports of what one may see oneself; of the whole tenant. */
  export_own: ['viewer', 'analyst', 'engineer', 'admin', 'auditor', 'read_only', 'read_write'],
  export_all: ['analyst', 'engineer', 'admin', 'auditor', 'read_only', 'read_write'],
  /** Users, single sign-on, role mapping, retention, API keys, plan. */
  administer_tenant: ['admin'],
  /** The audit trail: reading and verifying it in the console; taking it along. */
  read_audit: ['admin', 'auditor'],
  export_audit: ['admin', 'auditor', 'read_only', 'read_write'],
  /** Tenants, their plans, the health of the installation. */
  administer_platform: ['operator'],
} as const satisfies { readonly [action: string]: readonly Grant[] }

export type Permission = keyof typeof permissions

/** Whether somebody with these roles, or with a key of this scope, may do something: one that may is enough. */
export function isAllowed(grants: readonly Grant[], action: Permission): boolean {
  const allowed: readonly Grant[] = permissions[action]
  return grants.some((grant) => allowed.includes(grant))
}

/** Whether a text is the name of a role; a scope of keys is none, so no token can carry one. */
export function isRole(text: unknown): text is Role {
  return roles.some((role) => role === text)
}
