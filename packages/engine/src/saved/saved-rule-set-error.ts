/** What is wrong with bytes that were to be a saved rule set. */
export type SavedRuleSetErrorCode = 'not_a_rule_set' | 'unknown_version' | 'damaged' | 'truncated'

/** Bytes from which no rule set can be loaded. */
export class SavedRuleSetError extends Error {
  readonly code: SavedRuleSetErrorCode

  constructor(code: SavedRuleSetErrorCode, message: string) {
    super(message)
    this.name = 'SavedRuleSetError'
    this.code = code
  }
}

/** An error of what has the right checksum but is no rule set: another program wrote it, or a mistake of ours. */
export function createDamagedError(reason: unknown): SavedRuleSetError {
  if (reason instanceof SavedRuleSetError) return reason
  return new SavedRuleSetError('damaged', `the rule set is damaged: ${reason instanceof Error ? reason.message : String(reason)}`)
}
