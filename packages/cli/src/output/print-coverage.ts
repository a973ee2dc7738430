import { coverageStates } from '@tripline/rule-tools'
import type { Coverage, CoverageState } from '@tripline/rule-tools'
import { escapeControl } from '../framework/escape-control.ts'

/** Prints coverage for people: the rules, and each tactic with its techniques by state. */
export function printCoverage({ techniques, tactics, totals }: Coverage): string {
  const { rules, enabled, withData, effective, untagged } = totals
  const shown = tactics.filter((row) => row.techniques > 0)
  const states = Object.keys(coverageStates) as CoverageState[]
  const ruled = techniques.filter((row) => row.rules > 0)
  return [
    `${rules} rules, ${enabled} enabled, ${withData} with data, ${effective} that work; ${untagged} name no technique`,
    '',
    `${'TACTIC'.padEnd(24)}  COVERED  TECHNIQUES  RULES  WORKING  MATCHES`,
    ...shown.map((row) => [
      escapeControl(row.tactic).padEnd(24), String(row.coveredTechniques).padStart(7), String(row.techniques).padStart(10),
      String(row.rules).padStart(5), String(row.effective).padStart(7), String(row.matches).padStart(7),
    ].join('  ')),
    '',
    ...states.toReversed().flatMap((state) => {
      if (state === 'no_rule') return [`${techniques.length - ruled.length} techniques: ${coverageStates.no_rule}`]
      const ids = ruled.filter((row) => row.state === state).map(({ technique }) => technique)
      return ids.length === 0 ? [] : [`${ids.length} techniques: ${coverageStates[state]}`, `  ${ids.join(' ')}`]
    }),
  ].map((line) => `${line}\n`).join('')
}
