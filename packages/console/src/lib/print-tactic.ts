/** A tactic as people write it: `credential-access` becomes `Credential access`. */
export function printTactic(tactic: string): string {
  return tactic.charAt(0).toUpperCase() + tactic.slice(1).replaceAll('-', ' ')
}
