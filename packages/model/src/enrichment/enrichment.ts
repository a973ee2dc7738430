/**
 * Known facts about an alert's user, machine and values, under the names of the console API: stored with the alert as it is
 * shown.
 */
export type Enrichment = {
  readonly user_context: { readonly department: string; readonly is_privileged: boolean }
  readonly asset_context: { readonly criticality: string; readonly os: string; readonly ip: string }
  readonly threat_intel: { readonly known_malicious: boolean; readonly reputation_score: number }
}

/** The enrichment without known facts; it must not read as harmless or unimportant. */
export const unknownEnrichment: Enrichment = {
  user_context: { department: '', is_privileged: false },
  asset_context: { criticality: 'unknown', os: '', ip: '' },
  threat_intel: { known_malicious: false, reputation_score: 0 },
}
