import { createRuleError } from '@tripline/detection/rules/rule-errors'
import type { RuleException } from '@tripline/model/rule'

/** Ids of exceptions while they are tried begin so: they are never stored. */
const idStart = 'ffffffff-ffff-4fff-bfff-'

type Named = {
  readonly title: string
  /** The place of the selections of an exception in the body. */
  readonly toPath: (index: number) => string
}

/** Makes exceptions of selections that are tried and never stored. @throws AppError INVALID_RULE for one that names rules. */
export function createTriedExceptions(
  detections: readonly RuleException['detection'][], { title, toPath }: Named,
): readonly RuleException[] {
  return detections.map((detection, index) => {
    if (Object.hasOwn(detection, 'rules')) {
      throw createRuleError("an exception applies to its own rule; remove 'rules'", [{ path: `${toPath(index)}.rules` }])
    }
    const id = `${idStart}${(0xffff_ffff_ffff - index).toString(16)}`
    return { id, title, detection, owner: '', reason: '', createdAt: 0, expiresAt: 0 }
  })
}
