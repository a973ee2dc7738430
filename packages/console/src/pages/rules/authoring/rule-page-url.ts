import { textParameter, timeParameter, wordParameter } from '../../../lib/url-state.ts'

export const ruleTabs = ['test', 'backtest', 'exceptions', 'history', 'health'] as const

/** The parameters of a rule's address. */
export const rulePageParameters = {
  tab: wordParameter(ruleTabs),
  /** The line where the cursor is to be. */
  line: textParameter,
  /** The version that is compared, and that with which: the text in the editor where none is stated. */
  version: textParameter,
  against: textParameter,
  /** The range of a backtest. */
  from: timeParameter,
  to: timeParameter,
  /** The backtest that is shown. */
  backtest: textParameter,
  /** Of a new rule: the query or the alert that it is drafted from, or the rule that it is a copy of. */
  from_query: textParameter,
  from_alert: textParameter,
  clone: textParameter,
}
