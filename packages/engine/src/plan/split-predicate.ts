import type { Predicate, Test } from '../predicate/predicate.ts'
import type { AtomTable } from './atom-table.ts'
import { negate, open } from './formula.ts'
import type { Formula } from './formula.ts'

/** A predicate of one field, or a formula that combines several. */
type SplitPart =
  | { readonly field: string | undefined; readonly predicate: Predicate }
  | { readonly formula: Formula }

/**
 * Splits a predicate into the largest parts that read one field each, or compare two, and returns the formula that
 * combines these atoms. Parts of an `and` or `or` that read the same field become one, wherever they are in it.
 */
export function splitPredicate(predicate: Predicate, table: AtomTable): Formula {
  return toFormula(splitPart(predicate, table), table)
}

function toFormula(part: SplitPart, table: AtomTable): Formula {
  return 'formula' in part ? part.formula : table.toFormula(part.field, part.predicate)
}

function splitPart(predicate: Predicate, table: AtomTable): SplitPart {
  switch (predicate.kind) {
    case 'constant':
      return { formula: { kind: 'constant', value: predicate.value } }
    case 'group':
      return splitPart(predicate.of, table)
    case 'test':
      return splitTest(predicate, table)
    case 'elements':
      return { formula: open }
    case 'not': {
      const part = splitPart(predicate.of, table)
      if ('formula' in part) return { formula: negate(part.formula) }
      return { field: part.field, predicate: { kind: 'not', of: part.predicate } }
    }
    case 'and':
    case 'or':
      return joinParts(predicate.kind, flattenParts(predicate.kind, predicate.of).map((one) => splitPart(one, table)), table)
  }
}

/** Flattens nested `and`s, or nested `or`s, to one level. */
function flattenParts(kind: 'and' | 'or', predicates: readonly Predicate[]): Predicate[] {
  return predicates.flatMap((predicate) => {
    const bare = unwrapGroups(predicate)
    return bare.kind === kind ? flattenParts(kind, bare.of) : [bare]
  })
}

function unwrapGroups(predicate: Predicate): Predicate {
  return predicate.kind === 'group' ? unwrapGroups(predicate.of) : predicate
}

function joinParts(kind: 'and' | 'or', parts: readonly SplitPart[], table: AtomTable): SplitPart {
  const byField = new Map<string | undefined, Predicate[]>()
  const formulas: Formula[] = []
  for (const part of parts) {
    if ('formula' in part) {
      formulas.push(part.formula)
      continue
    }
    const ofField = byField.get(part.field)
    // A list of values has thousands of parts.
    if (ofField === undefined) byField.set(part.field, [part.predicate])
    else ofField.push(part.predicate)
  }
  const locals = Array.from(byField, ([field, predicates]) => ({ field, predicate: joinPredicates(kind, predicates) }))
  const [only] = locals
  if (only !== undefined && locals.length === 1 && formulas.length === 0) return only
  return { formula: { kind, of: [...locals.map((local) => toFormula(local, table)), ...formulas] } }
}

function joinPredicates(kind: 'and' | 'or', predicates: readonly Predicate[]): Predicate {
  const [only] = predicates
  return only !== undefined && predicates.length === 1 ? only : { kind, of: predicates }
}

function splitTest(test: Test, table: AtomTable): SplitPart {
  const { field, value } = test
  if (value.kind !== 'fieldRef') return { field, predicate: test }
  return { formula: field === undefined ? open : table.toPairFormula(field, value) }
}
