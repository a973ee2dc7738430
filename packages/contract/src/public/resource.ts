/** Resources of the public API, which a key may be restricted to; `ingest` is sending events. */
export const publicResources = [
  'alerts', 'assets', 'collectors', 'compliance', 'export', 'incidents', 'ingest', 'rules', 'search', 'webhooks',
] as const
export type PublicResource = (typeof publicResources)[number]
