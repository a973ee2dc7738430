import { expect, test } from 'vitest'
import { correlationProblems } from '../../test/correlation-problems.ts'
import { limits } from '../limits.ts'

const max = limits.correlationThresholdMax

test.for<[type: string, condition: string | null, problems: readonly string[]]>([
  ['event_count', '{ gte: 2 }', []],
  ['event_count', '{ gt: 1, lte: 2.5, neq: -3 }', []],
  ['event_count', `{ gte: ${max} }`, []],
  ['event_count', null, ["MISSING_ATTRIBUTE 4:3 a correlation of type event_count needs a 'condition'"]],
  ['event_count', '[gte]', ["INVALID_ATTRIBUTE 8:14 'correlation.condition' must be a map such as 'gte: 10'"]],
  ['event_count', '5', ["INVALID_ATTRIBUTE 8:14 'correlation.condition' must be a map such as 'gte: 10'"]],
  ['event_count', 'a and b', ["INVALID_ATTRIBUTE 8:14 a correlation of type event_count needs a map such as 'gte: 10' as its condition, not text"]],
  ['event_count', '{ gte: 2, field: x }', ["UNKNOWN_ATTRIBUTE 8:24 'condition.field' has no effect on a correlation of type event_count"]],
  ['event_count', '{ gte: 2, get: 2 }', ["INVALID_ATTRIBUTE 8:24 'condition.get' is not one of gt, gte, lt, lte, eq, neq, field, percentile"]],
  ['event_count', '{ gte: 2, lt: two }', ["INVALID_ATTRIBUTE 8:28 'condition.lt' must be a number"]],
  ['event_count', '{ gte: 2, lt: .inf }', ["INVALID_ATTRIBUTE 8:28 'condition.lt' must be a number"]],
  ['event_count', `{ gte: 2, lt: ${max + 1} }`, [`LIMIT_EXCEEDED 8:28 'condition.lt' is ${max + 1}; the limit is ${max}`]],
  ['event_count', '{ field: x }', ["INVALID_ATTRIBUTE 8:14 'correlation.condition' needs one of gt, gte, lt, lte, eq, neq"]],
  ['value_count', '{ gte: 2, field: x }', []],
  ['value_count', '{ gte: 2, field: [x, y] }', []],
  ['value_count', '{ gte: 2 }', ["MISSING_ATTRIBUTE 8:14 a correlation of type value_count needs 'condition.field'"]],
  ['value_sum', `{ gte: ${max + 1}, field: x }`, []],
  ['value_sum', '{ gte: 2, field: [x, y] }', ['INVALID_ATTRIBUTE 8:14 a correlation of type value_sum accepts one field; only value_count accepts several']],
  ['value_sum', '{ gte: 2, field: x, percentile: 5 }', ["UNKNOWN_ATTRIBUTE 8:34 'condition.percentile' has no effect on a correlation of type value_sum"]],
  ['value_sum', '{ gte: 2, field: [x, {}] }', ["INVALID_ATTRIBUTE 8:35 'condition.field' must be a field or a list of fields"]],
  ['value_percentile', '{ gte: 2, field: x }', []],
  ['value_percentile', '{ gte: 2, field: x, percentile: 0 }', []],
  ['value_percentile', '{ gte: 2, field: x, percentile: 100 }', []],
  ['value_percentile', '{ gte: 2, field: x, percentile: 100.5 }', ["INVALID_ATTRIBUTE 8:46 'condition.percentile' must be a number from 0 to 100"]],
  ['value_percentile', '{ gte: 2, field: x, percentile: -1 }', ["INVALID_ATTRIBUTE 8:46 'condition.percentile' must be a number from 0 to 100"]],
  ['temporal', null, []],
  ['temporal', '{ gte: 1 }', []],
  ['temporal', 'a and b', []],
  ['temporal_extended', 'not (a or b)', []],
  ['temporal', '[a]', ["INVALID_ATTRIBUTE 8:14 'correlation.condition' must be a map such as 'gte: 10', or text"]],
  ['temporal', 'a and b and d', ["UNKNOWN_RULE 8:26 the condition names 'd', but 'correlation.rules' does not"]],
  ['temporal', 'a', ["UNKNOWN_RULE 5:14 'correlation.rules' names 'b', but the condition does not"]],
  ['temporal', 'a AND b', ["CONDITION_KEYWORD_CASE 8:16 write the keyword 'AND' in lower case: 'and'"]],
  ['temporal', 'a and (b', ["CONDITION_SYNTAX 8:22 expected ')', found the end"]],
  ['temporal', '1 of a*', ['INVALID_ATTRIBUTE 8:14 the condition of a correlation must name each rule; quantifiers are not supported']],
])('%s: %s', ([type, condition, problems]) => {
  expect(correlationProblems({ type, condition })).toEqual(problems)
})

test('temporal_ordered rejects a condition with too many alternatives, temporal accepts it', () => {
  const rules = Array.from({ length: 18 }, (_, number) => `r${number}`)
  const condition = rules.filter((_, number) => number % 2 === 0).map((rule, pair) => `(${rule} or ${rules[2 * pair + 1]})`).join(' and ')
  const problems = (type: string): string[] => {
    return correlationProblems({ type, rules: `[${rules.join(', ')}]`, condition }).filter((problem) => !problem.startsWith('UNKNOWN_RULE'))
  }
  const message = `the condition has more than ${limits.correlationTermsMax} alternatives; simplify it`
  expect(problems('temporal_ordered')).toEqual([`LIMIT_EXCEEDED 8:14 ${message}`])
  expect(problems('temporal')).toEqual([])
})
