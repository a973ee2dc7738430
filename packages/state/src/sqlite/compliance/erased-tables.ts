/** What happens to the rows of a table that name the person. */
export type TableErasure = {
  readonly table: string
  /** Replaced are the texts outside of the key; deleted is the whole row. */
  readonly how: 'replace' | 'delete'
  /** The columns that may name the person, where others are definitions; default: all texts. */
  readonly columns?: readonly string[]
  /** A column whose texts differ from row to row, so that what replaces one has the number of its row. */
  readonly unique?: string
  /** A table whose rows belong to such a row and go with it, by these columns. */
  readonly deletesAlso?: { readonly table: string; readonly column: string; readonly by: string }
}

/** What holds texts of events or about persons. The register of requests keeps its entry, without the name. */
export const erasedTables: readonly TableErasure[] = [
  { table: 'alerts', how: 'replace' },
  { table: 'alert_matches', how: 'replace' },
  { table: 'alert_comments', how: 'replace' },
  { table: 'incidents', how: 'replace' },
  { table: 'incident_entities', how: 'delete' },
  { table: 'incident_comments', how: 'replace' },
  { table: 'incident_timeline', how: 'replace' },
  { table: 'assets', how: 'replace' },
  { table: 'asset_activity', how: 'replace' },
  { table: 'asset_bindings', how: 'delete' },
  { table: 'asset_findings', how: 'replace' },
  { table: 'person_names', how: 'delete' },
  { table: 'persons', how: 'delete', deletesAlso: { table: 'person_names', column: 'person_id', by: 'id' } },
  { table: 'playbook_runs', how: 'replace' },
  { table: 'domain_events', how: 'replace' },
  { table: 'webhook_events', how: 'replace' },
  { table: 'webhook_deliveries', how: 'replace' },
  { table: 'channel_messages', how: 'replace' },
  { table: 'requests', how: 'delete' },
  { table: 'report_contents', how: 'delete', deletesAlso: { table: 'reports', column: 'id', by: 'id' } },
  { table: 'backtests', how: 'delete' },
  { table: 'reports', how: 'replace', columns: ['requested_by', 'error'] },
  { table: 'data_subject_requests', how: 'replace' },
  { table: 'saved_views', how: 'replace' },
  { table: 'attestations', how: 'replace' },
  { table: 'control_notes', how: 'replace' },
  { table: 'evidence_jobs', how: 'replace', columns: ['requested_by', 'error'] },
  { table: 'rule_versions', how: 'replace', columns: ['saved_by'] },
  { table: 'rule_pipelines', how: 'replace', columns: ['name', 'created_by', 'updated_by'], unique: 'name' },
  { table: 'compliance_assessments', how: 'replace', columns: ['controls'] },
  { table: 'asset_identifiers', how: 'delete' },
  { table: 'subdomains', how: 'delete' },
  { table: 'indicators', how: 'delete' },
  { table: 'sessions', how: 'delete' },
  {
    table: 'provisioned_users', how: 'delete',
    deletesAlso: { table: 'provisioned_members', column: 'user_id', by: 'user_id' },
  },
  { table: 'bulk_changes', how: 'replace' },
  { table: 'user_preferences', how: 'replace' },
  { table: 'connector_moments', how: 'replace' },
  { table: 'collectors', how: 'replace', columns: ['name', 'hostname', 'report'] },
  { table: 'connectors', how: 'replace', columns: ['name', 'message', 'checks'], unique: 'name' },
  { table: 'webhooks', how: 'replace', columns: ['name'], unique: 'name' },
  { table: 'playbooks', how: 'replace', columns: ['name', 'description'], unique: 'name' },
  { table: 'report_schedules', how: 'replace', columns: ['name', 'created_by'], unique: 'name' },
  { table: 'api_keys', how: 'replace', columns: ['name', 'created_by'] },
  { table: 'enrolment_tokens', how: 'replace', columns: ['name'] },
  { table: 'provisioning_tokens', how: 'replace', columns: ['created_by'] },
  { table: 'erasures', how: 'replace', columns: ['requested_by', 'error'] },
  { table: 'channels', how: 'replace', columns: ['name'], unique: 'name' },
  { table: 'channel_routes', how: 'replace', columns: ['name'], unique: 'name' },
  { table: 'sign_on', how: 'replace', columns: ['last_test'] },
]

/** Tables of tenants that keep their texts, each with the reason. */
export const keptTables: { readonly [table: string]: string } = {
  users: 'a person who is a user is removed as user first',
  tenants: 'the settings are definitions; entries of the role mapping that name the person are removed',
  rules: 'what describes a rule is changed before, in a new version; what it detects is a definition',
  audit_entries: 'texts are encrypted, and the keys of those that name the person are destroyed',
  audit_keys: 'keys, of which those for texts that name the person are destroyed',
  checkpoints: 'the state of correlations, which ends with their windows',
  provisioned_groups: 'groups of an identity provider',
  report_branding: 'the name of the tenant',
  vulnerabilities: 'published vulnerabilities',
  ...Object.fromEntries([
    'alert_counts', 'alert_members', 'asset_addresses', 'asset_blind_spots', 'asset_risks', 'audit_ends', 'channel_notices',
    'domain_event_positions', 'incident_alerts', 'metric_points', 'metric_totals', 'provisioned_members', 'sign_on_domains',
    'used_assertions', 'verdict_counts',
  ].map((table) => [table, 'counts, hashes, ids, addresses and domains alone'])),
}
