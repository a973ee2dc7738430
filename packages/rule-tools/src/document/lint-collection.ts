import { findEntry } from '@tripline/engine/yaml'
import type { LintDocument } from './lint-document.ts'
import { findScalar } from './lint-document.ts'
import { printNode } from './print-node.ts'

/** All documents of one lint run, for the checks that compare rules. */
export class LintCollection {
  /** The retention of events in milliseconds; undefined when not given. */
  readonly retentionMs: number | undefined
  /** The codes of all checks, which comments may suppress. */
  readonly knownCodes: ReadonlySet<string>
  readonly #documents: LintDocument[] = []
  #byReference: ReadonlyMap<string, LintDocument> | undefined
  readonly #firstDocuments = new Map<string, Map<string, LintDocument>>()

  constructor({ retentionMs, knownCodes }: Pick<LintCollection, 'retentionMs' | 'knownCodes'>) {
    this.retentionMs = retentionMs
    this.knownCodes = knownCodes
  }

  /** Adds documents; call it for all of them before checks run. */
  add(documents: readonly LintDocument[]): void {
    for (const document of documents) this.#documents.push(document)
  }

  get documents(): readonly LintDocument[] {
    return this.#documents
  }

  /** Finds a rule by id or name. */
  findRule(reference: string): LintDocument | undefined {
    this.#byReference ??= indexReferences(this.#documents)
    return this.#byReference.get(reference.toLowerCase())
  }

  /** Finds the first document with the same title, detection or file name; undefined when that is this document. */
  findEarlierTwin(document: LintDocument, by: keyof typeof twinKeys): LintDocument | undefined {
    let firsts = this.#firstDocuments.get(by)
    if (firsts === undefined) {
      firsts = indexFirstDocuments(this.#documents, twinKeys[by])
      this.#firstDocuments.set(by, firsts)
    }
    const key = twinKeys[by](document)
    const first = key === undefined ? undefined : firsts.get(key)
    return first === document ? undefined : first
  }
}

/** The keys that make documents twins; undefined when a document has no such key. */
const twinKeys = {
  title: ({ node }: LintDocument) => findScalar(node, 'title')?.text.trim().toLowerCase() || undefined,
  detection: ({ node, kind }: LintDocument) => {
    const detection = kind === 'detection' ? findEntry(node, 'detection')?.value : undefined
    const logsource = findEntry(node, 'logsource')?.value
    return detection && logsource && `${printNode(logsource)} ${printNode(detection)}`
  },
  fileName: ({ path }: LintDocument) => getFileName(path).toLowerCase() || undefined,
} as const

/** Returns the last segment of a path. */
export function getFileName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
}

function indexFirstDocuments(
  documents: readonly LintDocument[], keyOf: (document: LintDocument) => string | undefined,
): Map<string, LintDocument> {
  const firsts = new Map<string, LintDocument>()
  for (const document of documents) {
    const key = keyOf(document)
    if (key !== undefined && !firsts.has(key)) firsts.set(key, document)
  }
  return firsts
}

function indexReferences(documents: readonly LintDocument[]): Map<string, LintDocument> {
  const byReference = new Map<string, LintDocument>()
  for (const document of documents) {
    for (const attribute of ['id', 'name']) {
      const key = findScalar(document.node, attribute)?.text.toLowerCase()
      if (key !== undefined && !byReference.has(key)) byReference.set(key, document)
    }
  }
  return byReference
}
