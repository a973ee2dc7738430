import type { Level } from '@tripline/engine'

/** Severities of the public API, which has one for each level. */
type PublicSeverity = 'critical' | 'high' | 'medium' | 'low' | 'info'

/** The severity of each level. */
export const severityOfLevel: { readonly [level in Level]: PublicSeverity } = {
  critical: 'critical', high: 'high', medium: 'medium', low: 'low', informational: 'info',
}

/** The level of each severity. */
export const levelOfSeverity: { readonly [severity in PublicSeverity]: Level } = {
  critical: 'critical', high: 'high', medium: 'medium', low: 'low', info: 'informational',
}
