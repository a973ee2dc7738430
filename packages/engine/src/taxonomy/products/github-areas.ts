/**
 * Areas of the GitHub audit log, the part of `action` before the dot, that identify it together with an actor and an
 * organization or repository. Areas such as `user` or `team` are too common.
 */
export const githubAreas: ReadonlySet<string> = new Set([
  'business', 'codespaces', 'copilot', 'dependabot_alerts', 'dependabot_repository_access',
  'dependabot_security_updates', 'dependency_graph', 'enterprise', 'git', 'hook', 'integration_installation',
  'ip_allow_list', 'ip_allow_list_entry', 'oauth_application', 'org', 'org_credential_authorization',
  'organization_default_label', 'personal_access_token', 'private_repository_forking', 'protected_branch',
  'pull_request', 'repo', 'repository_advisory', 'repository_ruleset', 'repository_secret_scanning',
  'repository_visibility_change', 'repository_vulnerability_alert', 'repository_vulnerability_alerts',
  'secret_scanning', 'secret_scanning_alert', 'secret_scanning_new_repos', 'secret_scanning_push_protection',
  'sso_redirect', 'workflows',
])
