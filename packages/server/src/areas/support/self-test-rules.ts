import { compileRules } from '@tripline/engine'
import type { RuleSet } from '@tripline/engine'

/** The log source and kind of events that self-tests send. */
export const selfTestLogsource = { product: 'tripline', service: 'self_test' } as const

const rule = `
title: Self-test
id: 5e1f7e57-0000-4000-8000-000000000001
status: stable
level: informational
logsource: { product: ${selfTestLogsource.product}, service: ${selfTestLogsource.service} }
detection:
  selection: { kind: self_test }
  condition: selection
`

/** Compiles the one rule that the tenant of self-tests has. */
export function compileSelfTestRules(): { readonly ruleSet: RuleSet; readonly versions: ReadonlyMap<string, number> } {
  return { ruleSet: compileRules([rule]).ruleSet, versions: new Map() }
}
