import type { BacktestJobBody } from '@tripline/contract/console/backtest'
import { limits } from '@tripline/contract/limits'
import { toSigmaLiteral } from '../../lib/sigma-literal.ts'
import type { NewBacktest } from './backtest-queries.ts'

/** The field of a host as rules name it; the engine finds it in events of every shape. */
const hostField = 'Computer'

type Exception = BacktestJobBody['exceptions'][number]

/** The backtest again, over the same range, with an exception for one more host. What is stored runs without them, too. */
export function exceptHost({ rule_ids: ids, definition, exceptions, compare, from, to }: BacktestJobBody, host: string): NewBacktest {
  const exception: Exception = { detection: { exception: { [hostField]: toSigmaLiteral(host) }, condition: 'not exception' } }
  return {
    from, to, exceptions: [...exceptions, exception],
    ...(ids.length > 0 && { rule_ids: ids }),
    ...(definition !== null && { definition }),
    ...((compare || definition === null) && { compare: true }),
  }
}

/** Whether it takes one more exception: correlations have none. */
export function mayHaveExceptions({ definition, exceptions }: Pick<BacktestJobBody, 'definition' | 'exceptions'>, stored: string): boolean {
  return !/^correlation:/m.test(definition ?? stored) && exceptions.length < limits.rules.exceptionsMax
}

/** The host that an exception of `exceptHost` is for. */
export function readHost({ detection }: Exception): string {
  const { exception } = detection as { readonly exception?: { readonly [field: string]: unknown } }
  const value = exception?.[hostField]
  return typeof value === 'string' ? value.replaceAll(/\\([\\*?])/g, '$1') : JSON.stringify(detection)
}
