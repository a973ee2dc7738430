/** The id of the rule whose page is among them. */
export const ruleOfPages = '00000000-0000-4000-8000-000000000008'

/** The addresses of the pages that tests of every page open. */
export const pagePaths = [
  '/', '/alerts', '/incidents', '/search', '/assets', '/assets?tab=exposure', '/assets?tab=findings', '/rules', '/rules/matrix',
  `/rules/${ruleOfPages}`,
  '/connectors', '/connectors/new', '/connectors/new?type=syslog', '/connectors/collectors', '/pipeline', '/health', '/compliance', '/reports', '/settings/account',
  '/settings/general',
  '/settings/users', '/settings/roles', '/settings/sign-on', '/settings/provisioning', '/settings/api-keys', '/settings/webhooks',
  '/settings/channels', '/settings/grouping', '/settings/branding', '/settings/rule-pipelines',
  '/settings/automation', '/settings/identities', '/settings/indicators', '/settings/subdomains', '/settings/requests',
  '/settings/retention', '/settings/audit', '/portal', '/portal/alerts', '/portal/assets', '/portal/reports',
] as const
