import { decodeUtf8 } from '@tripline/common/decode-utf8'
import { checkOptions } from '../check-options.ts'
import type { CompiledFilter } from '../apply-filters.ts'
import { RuleHeadView } from '../compiled-rule.ts'
import type { RuleHead } from '../compiled-rule.ts'
import type { CompiledCorrelation } from '../correlation/compiled-correlation.ts'
import type { Predicate } from '../predicate/predicate.ts'
import { RuleSet } from '../rule-set.ts'
import type { DetectionRule } from '../sigma/rule.ts'
import { PredicateReader } from './predicate-reader.ts'
import { format, headLength, magic } from './saved-body.ts'
import type { SavedBody, SavedCorrelationRule, SavedFilter } from './saved-body.ts'
import { SavedRuleSetError, createDamagedError } from './saved-rule-set-error.ts'
import { xxhash32 } from './xxhash32.ts'

export type LoadOptions = {
  /**
   * Whether engines use the WebAssembly kernel, 14 KB compressed, which makes `pushBytes` three times as fast; the matches
   * are the same without it. Default true.
   */
  readonly kernel?: boolean
}

/** The sections of a saved rule set. */
type Sections = { readonly body: Uint8Array; readonly nodes: Uint8Array; readonly attributes: Uint8Array }

/**
 * Loads what `saveRuleSet` wrote. Needs no YAML, and imports the parts of the engine that only some rule sets need if this
 * one does: RE2 for regular expressions, and what runs correlations. The checksum finds damage, not malice: load rule sets
 * from where you would load code.
 *
 * @throws SavedRuleSetError for bytes of another kind or format, or that were changed or cut.
 * @throws TypeError for what is no bytes.
 */
export async function loadRuleSet(bytes: Uint8Array, options: LoadOptions = {}): Promise<RuleSet> {
  checkOptions('loadRuleSet', options, { kernel: true })
  if (!(bytes instanceof Uint8Array)) throw new TypeError('loadRuleSet takes the bytes that saveRuleSet returned, as a Uint8Array')
  const { ruleSet, needsRe2 } = readRuleSet(findSections(bytes))
  if (options.kernel !== false) await import('../parts/provide-kernel.ts')
  if (needsRe2) await import('../predicate/matchers/re2.ts')
  if (ruleSet.correlations.length > 0) await import('../parts/provide-correlator.ts')
  return ruleSet
}

function findSections(bytes: Uint8Array): Sections {
  if (bytes.length < magic.length || !magic.every((byte, i) => byte === bytes[i])) {
    throw new SavedRuleSetError('not_a_rule_set', 'the bytes are no saved rule set')
  }
  if (bytes.length < headLength) throw createTruncatedError(headLength, bytes.length)
  const view = new DataView(bytes.buffer, bytes.byteOffset, headLength)
  const readNumber = (place: number): number => view.getUint32(magic.length + 4 * place)
  const version = readNumber(0)
  if (version !== format) {
    const message = `the rule set has format ${version}, but this version reads format ${format}; compile and save it again`
    throw new SavedRuleSetError('unknown_version', message)
  }
  const [bodyLength, nodesLength, attributesLength, checksum] = [readNumber(1), readNumber(2), readNumber(3), readNumber(4)]
  const length = headLength + bodyLength + nodesLength + attributesLength
  if (bytes.length !== length) throw createTruncatedError(length, bytes.length)
  // A copy, because rules keep it: the caller may write to the bytes.
  const sections = bytes.slice(headLength)
  if (xxhash32(sections) !== checksum) throw createDamagedError('it does not have the checksum with which it was saved')
  const attributesAt = bodyLength + nodesLength
  return {
    body: sections.subarray(0, bodyLength), nodes: sections.subarray(bodyLength, attributesAt), attributes: sections.subarray(attributesAt),
  }
}

function readRuleSet({ body, nodes, attributes }: Sections): { readonly ruleSet: RuleSet; readonly needsRe2: boolean } {
  let attributesAt = 0
  try {
    const saved = JSON.parse(decodeUtf8(body)) as SavedBody
    const reader = new PredicateReader(saved, nodes)
    const rules = saved.rules.map(([id, name, title, level, logsource, path, node, length]) => {
      const text = attributes.subarray(attributesAt, attributesAt += length)
      return new SavedRule({
        id, name: name ?? undefined, title, level: level ?? undefined, logsource: saved.logsources[logsource]!, path,
      }, { readPredicate: () => reader.get(node), attributes: text })
    })
    const filters = saved.filters.map((filter) => readFilter(filter, reader))
    const correlations = saved.correlations.map(readCorrelation)
    return { ruleSet: new RuleSet(rules, { correlations, filters }), needsRe2: saved.needsRe2 }
  } catch (error) {
    throw createDamagedError(error)
  }
}

function readFilter({ ruleNames, node, ...filter }: SavedFilter, reader: PredicateReader): CompiledFilter {
  return { ...filter, ruleNames: ruleNames === null ? undefined : new Set(ruleNames), predicate: reader.get(node) }
}

function readCorrelation(saved: SavedCorrelationRule): CompiledCorrelation {
  const { correlation } = saved.rule
  const aliases = new Map(correlation.aliases.map(([alias, fields]) => [alias, new Map(fields)]))
  return { ...saved, rule: { ...saved.rule, correlation: { ...correlation, aliases } } }
}

/** Where a saved rule gets what is read on demand. */
type SavedRuleSource = { readonly readPredicate: () => Predicate; readonly attributes: Uint8Array }

/**
 * A rule of a saved set. Its predicate is read when an engine builds its indexes, or an explanation asks for it; its attributes
 * stay bytes and are parsed on demand, as matching never reads them.
 */
class SavedRule extends RuleHeadView {
  #predicate: Predicate | (() => Predicate)
  readonly #attributes: Uint8Array
  #parsed: WeakRef<DetectionRule> | undefined

  constructor(head: Omit<RuleHead, 'predicate'>, { readPredicate, attributes }: SavedRuleSource) {
    super(head)
    this.#predicate = readPredicate
    this.#attributes = attributes
  }

  get predicate(): Predicate {
    if (typeof this.#predicate === 'function') this.#predicate = this.#predicate()
    return this.#predicate
  }

  get rule(): DetectionRule {
    const known = this.#parsed?.deref()
    if (known !== undefined) return known
    const attributes = JSON.parse(decodeUtf8(this.#attributes)) as Omit<DetectionRule, 'detection'>
    const rule = Object.defineProperty(attributes, 'detection', { get: throwNoDetection }) as DetectionRule
    this.#parsed = new WeakRef(rule)
    return rule
  }
}

function throwNoDetection(): never {
  throw new Error('a saved rule set has no detections as they were written; compile the text of the rule for it')
}

function createTruncatedError(wanted: number, found: number): SavedRuleSetError {
  return new SavedRuleSetError('truncated', `the rule set should have ${wanted} bytes and has ${found}`)
}
