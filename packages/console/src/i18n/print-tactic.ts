import { findTacticName } from './translate.ts'

/** A tactic as people write it: `credential-access` becomes `Credential access`. */
export function printTactic(tactic: string): string {
  return findTacticName(tactic) ?? tactic.charAt(0).toUpperCase() + tactic.slice(1).replaceAll('-', ' ')
}
