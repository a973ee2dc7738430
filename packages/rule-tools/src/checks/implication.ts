import { listSelectionNames } from '@tripline/engine/authoring'
import type { Condition } from '@tripline/engine/authoring'
import { limits } from '../limits.ts'

/** The results of a condition over all combinations of its selections. */
type ConditionOutcomes = {
  readonly canHold: boolean
  readonly canFail: boolean
  /** The selections that never change the result. */
  readonly idle: readonly string[]
}

/** Selection `implies` matches whenever selection `of` does. */
export type Implication = { readonly of: string; readonly implies: string }

/**
 * Truth table of a condition: evaluates it on every combination of its selections that the implications allow.
 * Undefined when it has more than `limits.lintTriedSelectionsMax` selections.
 */
export function tryCondition(tree: Condition, implications: readonly Implication[] = []): ConditionOutcomes | undefined {
  const names = [...new Set(listSelectionNames(tree))]
  if (names.length > limits.lintTriedSelectionsMax) return undefined
  const bits = new Map(names.map((name, i) => [name, 1 << i]))
  const rules = implications.flatMap(({ of, implies }) => {
    const [first, second] = [bits.get(of), bits.get(implies)]
    return first === undefined || second === undefined ? [] : [[first, second] as const]
  })
  const isPossible = (row: number) => rules.every(([first, second]) => (row & first) === 0 || (row & second) !== 0)
  const outcomes = Array.from({ length: 1 << names.length }, (_, row) => isPossible(row) ? evaluateCondition(tree, bits, row) : undefined)
  const isIdle = (bit: number) =>
    outcomes.every((outcome, row) => (outcome ?? outcomes[row ^ bit]) === (outcomes[row ^ bit] ?? outcome))
  return {
    canHold: outcomes.includes(true),
    canFail: outcomes.includes(false),
    idle: names.filter((name) => isIdle(bits.get(name)!)),
  }
}

function evaluateCondition(tree: Condition, bits: ReadonlyMap<string, number>, row: number): boolean {
  const isSet = (name: string) => (row & (bits.get(name) ?? 0)) !== 0
  switch (tree.kind) {
    case 'and':
      return tree.of.every((part) => evaluateCondition(part, bits, row))
    case 'or':
      return tree.of.some((part) => evaluateCondition(part, bits, row))
    case 'not':
      return !evaluateCondition(tree.of, bits, row)
    case 'selection':
      return isSet(tree.name)
    case 'quantifier':
      return tree.isAll ? tree.names.every(isSet) : tree.names.some(isSet)
  }
}
