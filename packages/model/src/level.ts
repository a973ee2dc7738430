import type { Level } from '@tripline/engine'

/** The four severities of the console API. */
type ConsoleLevel = 'low' | 'medium' | 'high' | 'critical'

/** Rank of a level; higher is more severe. */
export const levelRank: { readonly [level in Level]: number } = {
  informational: 1,
  low: 2,
  medium: 3,
  high: 4,
  critical: 5,
}

/** The level of a rule without one. */
export const levelDefault: Level = 'medium'

/** The console API's severity of each level; it has none for informational. */
export const consoleLevels: { readonly [level in Level]: ConsoleLevel } = {
  informational: 'low',
  low: 'low',
  medium: 'medium',
  high: 'high',
  critical: 'critical',
}

/** The five severities of the integration API. */
export type PublicSeverity = 'critical' | 'high' | 'medium' | 'low' | 'info'

/** The integration API's severity of a level. */
export function toPublicSeverity(level: Level): PublicSeverity {
  return level === 'informational' ? 'info' : level
}
