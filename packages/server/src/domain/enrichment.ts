/**
 * What else is known of an alert's user, machine and values, under the names that the console's API has for it
 * (console-api.md, Alert.enrichment): it is stored with the alert as it is shown.
 */
export type Enrichment = {
  readonly user_context: { readonly department: string; readonly is_privileged: boolean }
  readonly asset_context: { readonly criticality: string; readonly os: string; readonly ip: string }
  readonly threat_intel: { readonly known_malicious: boolean; readonly reputation_score: number }
}

/** What stands where nothing is known: it reads as nothing, and never as harmless or unimportant. */
export const unknownEnrichment: Enrichment = {
  user_context: { department: '', is_privileged: false },
  asset_context: { criticality: 'unknown', os: '', ip: '' },
  threat_intel: { known_malicious: false, reputation_score: 0 },
}
