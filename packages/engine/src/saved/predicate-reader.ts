import { needsRe2 } from '../predicate/matchers/regex.ts'
import { anyOne, anyRun, literal } from '../predicate/pattern.ts'
import type { PatternPart } from '../predicate/pattern.ts'
import type { Predicate, Test, ValueTest, WrittenItem } from '../predicate/predicate.ts'
import { joinTexts, nodeKinds } from './saved-body.ts'
import type { SavedBody, SavedNode, SavedPart } from './saved-body.ts'

/** Reads the predicates of a saved rule set, each node once and after those that it refers to. */
export class PredicateReader {
  readonly #predicates: Predicate[] = []
  readonly #written: readonly WrittenItem[]
  #needsRe2 = false

  constructor({ nodes, written }: Pick<SavedBody, 'nodes' | 'written'>) {
    this.#written = written
    for (const node of nodes) this.#predicates.push(this.#read(node))
  }

  /** Whether a test is a regular expression for which the lazy DFA may not be enough. */
  get needsRe2(): boolean {
    return this.#needsRe2
  }

  get(number: number): Predicate {
    const predicate = this.#predicates[number]
    if (predicate === undefined) throw new Error(`there is no node ${number} before the one that refers to it`)
    return predicate
  }

  #read(node: SavedNode): Predicate {
    switch (node[0]) {
      case nodeKinds.and:
        return { kind: 'and', of: this.#readParts(node) }
      case nodeKinds.or:
        return { kind: 'or', of: this.#readParts(node) }
      case nodeKinds.not:
        return { kind: 'not', of: this.get(node[1]) }
      case nodeKinds.constant:
        return { kind: 'constant', value: node[1] }
      case nodeKinds.group:
        return { kind: 'group', name: node[1], of: this.get(node[2]) }
      case nodeKinds.elements:
        return { kind: 'elements', field: node[1], quantifier: node[2], of: this.get(node[3]) }
      case nodeKinds.test:
        return this.#readTest(node)
      default:
        throw new Error(`there is no kind of node ${String(node[0])}`)
    }
  }

  /** A hot loop over most of the nodes: patterns, which are arrays, take no detour. */
  #readTest(node: SavedNode & { readonly 0: typeof nodeKinds.test }): Test {
    const saved = node[4]
    const value = Array.isArray(saved) ? readPattern(saved as readonly SavedPart[]) : readValue(saved as PlainValue)
    if (value.kind === 'regex' && needsRe2(value)) this.#needsRe2 = true
    const writtenValue = node[3] ?? joinTexts(saved as readonly SavedPart[])
    return { kind: 'test', field: node[1] ?? undefined, value, written: this.#written[node[2]]!, writtenValue }
  }

  #readParts(node: readonly number[]): Predicate[] {
    const parts: Predicate[] = []
    for (let at = 1; at < node.length; at++) parts.push(this.get(node[at]!))
    return parts
  }
}

type PlainValue = Exclude<ValueTest, { readonly kind: 'text' }>

function readPattern(saved: readonly SavedPart[]): ValueTest {
  const pattern: PatternPart[] = []
  for (let at = 1; at < saved.length; at++) pattern.push(readPart(saved[at]!))
  return { kind: 'text', pattern, isCased: saved[0] === 1 }
}

function readValue(value: PlainValue): ValueTest {
  switch (value.kind) {
    case 'cidr':
      return { ...value, network: BigInt(value.network) }
    case 'number':
    case 'compare':
    case 'timePart':
      return { ...value, value: Number(value.value) }
    default:
      return value
  }
}

function readPart(part: SavedPart): PatternPart {
  if (typeof part === 'string') return literal(part)
  if (part === 0) return anyRun
  return part === 1 ? anyOne : { kind: 'oneOf', characters: part[0] }
}
