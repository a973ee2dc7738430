import { isKernelAvailable } from '../kernel/kernel-provider.ts'
import { getNeedleLayout } from '../kernel/needle-layout.ts'
import { limits } from '../limits.ts'
import type { RuleIndex } from '../plan/rule-index.ts'
import type { WorkSteps } from '../step-work.ts'

/** Indexes that are built in steps, as a rule set has them. */
type PreparedParts = { readonly prepareParts: () => WorkSteps<undefined>; readonly parts: readonly { readonly index: RuleIndex }[] }

/** Fields with fewer work units are left until their first value comes: of most fields none ever does. */
const fieldUnitsMin = 64

/** Builds the indexes of rules in steps, and for each field with many values what finds them. */
export function* prepareIndexes(ruleSet: PreparedParts): WorkSteps<undefined> {
  yield* ruleSet.prepareParts()
  for (const { index } of ruleSet.parts) {
    for (const field of index.fields.keys()) {
      // Keywords are compiled by the rules of a route, when its first event comes.
      if (index.fields[field] === undefined || index.weighField(field) < fieldUnitsMin) continue
      yield* index.prepareFieldAtoms(field)
      const { needles } = index.getFieldAtoms(field)
      if (isKernelAvailable() && needles.length <= limits.kernelNeedlesMax) yield* getNeedleLayout(needles).prepare()
    }
  }
  return undefined
}
