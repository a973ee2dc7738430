import type { Level } from '@tripline/engine'

/** The four levels that the console's API knows. */
export type ConsoleLevel = 'low' | 'medium' | 'high' | 'critical'

/** How a level is ordered: greater is worse. */
export const levelRank: { readonly [level in Level]: number } = {
  informational: 1,
  low: 2,
  medium: 3,
  high: 4,
  critical: 5,
}

/** The level of a rule that states none (section 1.2). */
export const levelDefault: Level = 'medium'

/** How the console shows each level (section 1.2): it has no word for informational. */
export const consoleLevels: { readonly [level in Level]: ConsoleLevel } = {
  informational: 'low',
  low: 'low',
  medium: 'medium',
  high: 'high',
  critical: 'critical',
}
