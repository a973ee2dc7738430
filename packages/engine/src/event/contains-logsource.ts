import type { Logsource, RuleLogsource } from './event.ts'

const keys = ['category', 'product', 'service'] as const

/** Whether each logsource that the inner one stands for has the values of one that the outer one stands for. */
export function logsourceContains(outer: RuleLogsource, inner: RuleLogsource): boolean {
  const alternatives = listLogsources(outer)
  return listLogsources(inner).every((one) => {
    return alternatives.some((other) => keys.every((key) => other[key] === undefined || other[key] === one[key]))
  })
}

/** The logsources with one value for each attribute that a rule's logsource stands for; mostly itself. */
export function listLogsources(logsource: RuleLogsource): readonly Logsource[] {
  const { anyOf, ...common } = logsource
  if (anyOf === undefined) return [logsource]
  return keys.reduce<readonly Logsource[]>((some, key) => {
    const values = anyOf[key]
    return values === undefined ? some : some.flatMap((one) => values.map((value) => ({ ...one, [key]: value })))
  }, [common])
}
