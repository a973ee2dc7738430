import type { Predicate, Test } from '../predicate/predicate.ts'
import type { AtomTable } from './atom-table.ts'
import { negate, open } from './formula.ts'
import type { Formula } from './formula.ts'

/** A predicate that reads one field, or a formula of one that reads several. */
type Part =
  | { readonly field: string | undefined; readonly predicate: Predicate }
  | { readonly formula: Formula }

/**
 * Splits a predicate into the largest parts that read one field each, or compare two, and says how they make it
 * up. Parts of an `and` or an `or` that read the same field are one, wherever they stand in it.
 */
export function splitPredicate(predicate: Predicate, table: AtomTable): Formula {
  return formulaOf(partOf(predicate, table), table)
}

function formulaOf(part: Part, table: AtomTable): Formula {
  return 'formula' in part ? part.formula : table.formulaOf(part.field, part.predicate)
}

function partOf(predicate: Predicate, table: AtomTable): Part {
  switch (predicate.kind) {
    case 'constant':
      return { formula: { kind: 'constant', value: predicate.value } }
    case 'group':
      return partOf(predicate.of, table)
    case 'test':
      return partOfTest(predicate, table)
    case 'elements':
      return { formula: open }
    case 'not': {
      const part = partOf(predicate.of, table)
      if ('formula' in part) return { formula: negate(part.formula) }
      return { field: part.field, predicate: { kind: 'not', of: part.predicate } }
    }
    case 'and':
    case 'or':
      return joinParts(predicate.kind, partsOf(predicate.kind, predicate.of).map((one) => partOf(one, table)), table)
  }
}

/** The parts of an `and` of `and`s, or of an `or` of `or`s, on one level. */
function partsOf(kind: 'and' | 'or', predicates: readonly Predicate[]): Predicate[] {
  return predicates.flatMap((predicate) => {
    const bare = withoutGroups(predicate)
    return bare.kind === kind ? partsOf(kind, bare.of) : [bare]
  })
}

function withoutGroups(predicate: Predicate): Predicate {
  return predicate.kind === 'group' ? withoutGroups(predicate.of) : predicate
}

function joinParts(kind: 'and' | 'or', parts: readonly Part[], table: AtomTable): Part {
  const byField = new Map<string | undefined, Predicate[]>()
  const formulas: Formula[] = []
  for (const part of parts) {
    if ('formula' in part) formulas.push(part.formula)
    else byField.set(part.field, [...(byField.get(part.field) ?? []), part.predicate])
  }
  const locals = Array.from(byField, ([field, predicates]) => ({ field, predicate: joined(kind, predicates) }))
  const [only] = locals
  if (only !== undefined && locals.length === 1 && formulas.length === 0) return only
  return { formula: { kind, of: [...locals.map((local) => formulaOf(local, table)), ...formulas] } }
}

function joined(kind: 'and' | 'or', predicates: readonly Predicate[]): Predicate {
  const [only] = predicates
  return only !== undefined && predicates.length === 1 ? only : { kind, of: predicates }
}

function partOfTest(test: Test, table: AtomTable): Part {
  const { field, value } = test
  if (value.kind !== 'fieldRef') return { field, predicate: test }
  return { formula: field === undefined ? open : table.formulaOfPair(field, value) }
}
