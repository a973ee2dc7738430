import { decodeUtf8 } from '@tripline/common/decode-utf8'
import { anyOne, anyRun, literal } from '../predicate/pattern.ts'
import type { PatternPart } from '../predicate/pattern.ts'
import type { Predicate, Test, ValueTest, WrittenItem } from '../predicate/predicate.ts'
import { chunkLength, joinTexts, nodeKinds } from './saved-body.ts'
import type { SavedBody, SavedNode, SavedPart } from './saved-body.ts'
import { createDamagedError } from './saved-rule-set-error.ts'

/**
 * Reads the predicates of a saved rule set on demand, chunk by chunk, and each node once. A node refers only to nodes before
 * it, so that a chunk needs none but its own and those of chunks before it.
 */
export class PredicateReader {
  readonly #written: readonly WrittenItem[]
  /** The bytes of the chunks that were not read yet. */
  readonly #chunks: (Uint8Array | undefined)[] = []
  readonly #predicates: (Predicate | undefined)[] = []

  /** @param nodes The section of the chunks. */
  constructor({ written, chunkLengths }: Pick<SavedBody, 'written' | 'chunkLengths'>, nodes: Uint8Array) {
    this.#written = written
    let at = 0
    for (const length of chunkLengths) this.#chunks.push(nodes.subarray(at, at += length))
  }

  /** The predicate of a node. @throws SavedRuleSetError for bytes that are no nodes. */
  get(number: number): Predicate {
    const known = this.#predicates[number]
    if (known !== undefined) return known
    this.#readChunk(Math.floor(number / chunkLength))
    const predicate = this.#predicates[number]
    if (predicate === undefined) throw createDamagedError(`there is no node ${number} before the one that refers to it`)
    return predicate
  }

  #readChunk(place: number): void {
    const bytes = this.#chunks[place]
    // None, or one that is being read: the node that is missing is not before the one that refers to it.
    if (bytes === undefined) return
    this.#chunks[place] = undefined
    try {
      const nodes = JSON.parse(decodeUtf8(bytes)) as readonly SavedNode[]
      for (const [i, node] of nodes.entries()) this.#predicates[place * chunkLength + i] = this.#read(node)
    } catch (error) {
      throw createDamagedError(error)
    }
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
