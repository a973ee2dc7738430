import type { ExplanationBody } from '@tripline/contract/console/rule'
import { expect, test } from 'vitest'
import { listParts } from './explanation-parts.ts'

type Branch = Extract<ExplanationBody, { readonly node: string }>

const join = (node: string, ...children: readonly ExplanationBody[]): Branch => ({ node, result: true, children })
const compare = (field: string): ExplanationBody => ({ field, op: 'eq', pattern: 'x', actual: 'x', result: true, reason: '' })
const [a, b, c] = ['a', 'b', 'c'].map(compare) as [ExplanationBody, ExplanationBody, ExplanationBody]

test.for<[title: string, node: Branch, parts: readonly ExplanationBody[]]>([
  ['alternatives of an alternative', join('or', join('or', a, b), c), [a, b, c]],
  ['however deep', join('or', join('or', join('or', a), b)), [a, b]],
  ['through a join of one', join('or', join('and', join('or', a, b)), c), [a, b, c]],
  ['joins of the other kind stay', join('or', join('and', a, b), c), [join('and', a, b), c]],
  ['so do selections and what is negated', join('and', join('selection', join('and', a, b)), join('not', c)), [join('selection', join('and', a, b)), join('not', c)]],
  ['of a selection: what stands below it', join('selection', join('and', a, b)), [join('and', a, b)]],
])('%s', ([, node, parts]) => {
  expect(listParts(node)).toEqual(parts)
})
