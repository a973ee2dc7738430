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
