import type { DiagnosticCollector } from '../diagnostics.ts'
import { hashContent, toRuleId } from '../rule-id.ts'
import { readYaml } from '../sigma/yaml-document.ts'
import type { YamlMap, YamlNode } from '../sigma/yaml-document.ts'

/** A document with the id that it states, the path of its source, and its text when that holds nothing else. */
export type RuleDocument = {
  readonly id: string
  readonly path: string
  readonly node: YamlMap
  readonly ruleText: string | undefined
}

/** How the engine calls a rule, and the path of the rule that it is a copy of. */
export type RuleIdentity = { readonly id: string; readonly copyOf: string | undefined }

/** The rules of one stated id. */
type SameId = {
  /** The first of them, which has the id. Only where the id is repeated its content is looked at. */
  readonly path: string
  readonly hashFirst: () => string
  /** The id and path of each by the hash of its content; empty until a second one has the id. */
  readonly byContent: Map<string, { readonly id: string; readonly path: string }>
}

/**
 * The ids and names of a rule set. They detect nothing, so a repeated one keeps no rule from running: a copy of a rule is that
 * rule, and a different one with the same id gets an id derived from it. Correlations and filters mean the first rule of an id or
 * name. An invalid rule has neither.
 */
export class RuleIdentities {
  readonly #byId = new Map<string, SameId>()
  readonly #pathsByName = new Map<string, string>()

  /** Finds what to call a rule, before it is known whether it is valid. */
  choose({ id, node }: RuleDocument): RuleIdentity {
    const same = this.#byId.get(id)
    if (same === undefined) return { id, copyOf: undefined }
    if (same.byContent.size === 0) same.byContent.set(same.hashFirst(), { id, path: same.path })
    const original = same.byContent.get(hashRule(node))
    if (original !== undefined) return { id: original.id, copyOf: original.path }
    return { id: toRuleId(`${id} again ${same.byContent.size + 1}`), copyOf: undefined }
  }

  /**
   * Claims the id and name of a rule and reports the rules that had them before. Returns the name by which others refer to the
   * rule, or undefined when it does not run: it does not compile, or it is a copy.
   */
  claim(
    stated: RuleDocument, { id, copyOf }: RuleIdentity, name: string | undefined, collector: DiagnosticCollector,
  ): { readonly name: string | undefined } | undefined {
    if (isInvalid(collector)) return undefined
    const { path, node: { offset } } = stated
    const same = this.#byId.get(stated.id)
    const nameOwner = name === undefined ? undefined : this.#pathsByName.get(name)
    if (copyOf !== undefined) {
      const message = `the rule is the same as ${describeRule(copyOf)}; it runs once`
      collector.metadata({ code: 'DUPLICATE_ID', message, offset, hint: 'remove one of the two' })
      return undefined
    }
    if (same !== undefined) {
      const message = `the id ${stated.id} belongs to ${describeRule(same.path)}; the engine calls this one ${id}`
      const hint = 'give each rule its own id; correlations and filters that name this one mean the other rule'
      collector.metadata({ code: 'DUPLICATE_ID', message, offset, hint })
    }
    if (nameOwner !== undefined) {
      const message = `the name '${name}' belongs to ${describeRule(nameOwner)}`
      const hint = 'give each rule its own name; correlations and filters that use this one mean the other rule'
      collector.metadata({ code: 'DUPLICATE_NAME', message, offset, hint })
    }
    if (isInvalid(collector)) return undefined
    if (same === undefined) this.#byId.set(stated.id, { path, hashFirst: keepHash(stated), byContent: new Map() })
    else same.byContent.set(hashRule(stated.node), { id, path })
    const ownName = nameOwner === undefined ? name : undefined
    if (ownName !== undefined) this.#pathsByName.set(ownName, path)
    return collector.verdict === 'compiled' ? { name: ownName } : undefined
  }
}

/** Finds the hash of a rule later from its text: nodes take much memory, and few ids are repeated. */
function keepHash({ node, ruleText }: RuleDocument): () => string {
  if (ruleText !== undefined) return () => hashRule(readYaml(ruleText).documents![0]!)
  const hash = hashRule(node)
  return () => hash
}

/** Two spellings of the same id are the same id. */
function hashRule(node: YamlNode): string {
  return hashContent(node, ['id', 'tests'])
}

function isInvalid({ verdict }: DiagnosticCollector): boolean {
  return verdict === 'invalid'
}

function describeRule(path: string): string {
  return path === '' ? 'another rule' : `another rule, in ${path}`
}
