import { suggestName } from '../diagnostics.ts'
import type { DiagnosticCollector } from '../diagnostics.ts'
import { limits } from '../limits.ts'
import { parseCorrelationCondition } from './correlation-condition.ts'
import { correlationTypes, firingModes, windowKinds } from './correlation.ts'
import type { CorrelationRule, CorrelationType, FiringMode, RuleReference } from './correlation.ts'
import { AttributeReader, readAttributes } from './rule-attributes.ts'
import { parseTimespan } from './timespan.ts'
import { findEntry } from './yaml-document.ts'
import type { YamlMap, YamlNode } from './yaml-document.ts'

/** Type names of Sigma drafts for conditions as text; this engine accepts text conditions in the base types. */
const draftTypes: { readonly [name: string]: CorrelationType } = {
  temporal_extended: 'temporal', temporal_ordered_extended: 'temporal_ordered',
}

/**
 * Parses a document as a correlation rule and reports every problem. Undefined when a required part is missing
 * or invalid.
 */
export function parseCorrelationRule(map: YamlMap, collector: DiagnosticCollector): CorrelationRule | undefined {
  const attributes = readAttributes(map, collector, ['correlation', 'generate'])
  const section = new AttributeReader(map, collector).readRequired('correlation')?.value
  if (section?.kind !== 'map') {
    if (section !== undefined) reportInvalid(section, "'correlation' must be a map", collector)
    return undefined
  }
  const read = new CorrelationSectionReader(section, collector)
  const type = read.type()
  const references = read.references()
  const timespanMs = read.timespan()
  const condition = type && parseCorrelationCondition(section, { type, references }, collector)
  const correlation = {
    groupBy: read.groupBy(),
    aliases: read.aliases(references),
    generates: read.isTrue(map, 'generate') || read.isTrue(section, 'generate'),
    firing: read.firing(),
    window: read.choice('x-tripline-window', windowKinds) ?? 'sliding',
    isCaseSensitive: read.choice('x-tripline-case', ['insensitive', 'sensitive']) === 'sensitive',
    opensIncident: read.choice('x-tripline-incident', ['none', 'open']) === 'open',
  }
  read.reportUnknownKeys()
  if (type === undefined || references.length === 0 || timespanMs === undefined || condition === undefined) return undefined
  return { ...attributes, correlation: { ...correlation, type, references, timespanMs, condition } }
}

const knownKeys: readonly string[] = [
  'type', 'rules', 'group-by', 'timespan', 'condition', 'aliases', 'generate', 'firing', 'x-tripline-window',
  'x-tripline-case', 'x-tripline-incident',
]

/** Reads the keys of a correlation section and reports invalid values. */
class CorrelationSectionReader {
  readonly #map: YamlMap
  readonly #collector: DiagnosticCollector

  constructor(map: YamlMap, collector: DiagnosticCollector) {
    this.#map = map
    this.#collector = collector
  }

  type(): CorrelationType | undefined {
    const node = this.#required('type')
    if (node === undefined) return undefined
    const text = getText(node) ?? ''
    const type = correlationTypes.find((candidate) => candidate === text) ?? draftTypes[text]
    if (type !== undefined) return type
    const hint = suggestName(text, correlationTypes)
    reportInvalid(node, `'correlation.type' must be one of ${correlationTypes.join(', ')}`, this.#collector, hint)
    return undefined
  }

  references(): readonly RuleReference[] {
    const node = this.#required('rules')
    if (node === undefined) return []
    const items = node.kind === 'list' ? node.items : [node]
    if (items.length === 0) reportInvalid(node, "'correlation.rules' is empty; name at least one rule", this.#collector)
    if (items.length > limits.correlationRulesMax) {
      const message = `the correlation names ${items.length} rules; the limit is ${limits.correlationRulesMax}`
      this.#collector.error({ code: 'LIMIT_EXCEEDED', message, offset: node.offset })
      return []
    }
    const references: RuleReference[] = []
    for (const item of items) {
      const name = getText(item)
      if (name === undefined || name === '') reportInvalid(item, "'correlation.rules' must be a list of ids or names", this.#collector)
      else if (references.some((other) => other.name === name)) {
        reportInvalid(item, `'correlation.rules' names '${name}' twice`, this.#collector)
      } else references.push({ name, offset: item.offset })
    }
    return references
  }

  groupBy(): readonly string[] {
    const node = findEntry(this.#map, 'group-by')?.value
    if (node === undefined || isNull(node)) return []
    const fields: string[] = []
    for (const item of node.kind === 'list' ? node.items : [node]) {
      const field = getText(item)
      if (field === undefined || field === '') reportInvalid(item, "'correlation.group-by' must be a list of fields", this.#collector)
      else if (fields.includes(field)) {
        this.#collector.lint({ code: 'DUPLICATE_VALUE', message: `'group-by' lists '${field}' twice`, offset: item.offset })
      } else fields.push(field)
    }
    if (fields.length <= limits.groupFieldsMax) return fields
    const message = `the correlation groups by ${fields.length} fields; the limit is ${limits.groupFieldsMax}`
    this.#collector.error({ code: 'LIMIT_EXCEEDED', message, offset: node.offset })
    return []
  }

  timespan(): number | undefined {
    const node = this.#required('timespan')
    if (node === undefined) return undefined
    const timespanMs = parseTimespan(getText(node) ?? '')
    if (timespanMs !== undefined) return timespanMs
    reportInvalid(node, "'correlation.timespan' must be a whole number above 0 with a unit, such as 30s, 5m, 1h or 7d", this.#collector)
    return undefined
  }

  aliases(references: readonly RuleReference[]): ReadonlyMap<string, ReadonlyMap<string, string>> {
    const aliases = new Map<string, ReadonlyMap<string, string>>()
    const node = findEntry(this.#map, 'aliases')?.value
    if (node === undefined || isNull(node)) return aliases
    if (node.kind !== 'map') {
      reportInvalid(node, "'correlation.aliases' must be a map", this.#collector)
      return aliases
    }
    for (const { key, value } of node.entries.slice(0, limits.groupFieldsMax)) aliases.set(key, this.#alias(value, references))
    if (node.entries.length <= limits.groupFieldsMax) return aliases
    const message = `the correlation has ${node.entries.length} aliases; the limit is ${limits.groupFieldsMax}`
    this.#collector.error({ code: 'LIMIT_EXCEEDED', message, offset: node.offset })
    return aliases
  }

  #alias(node: YamlNode, references: readonly RuleReference[]): ReadonlyMap<string, string> {
    const fields = new Map<string, string>()
    if (node.kind !== 'map') {
      reportInvalid(node, 'an alias must be a map from rules to fields', this.#collector)
      return fields
    }
    for (const { key, keyOffset, value } of node.entries) {
      const field = getText(value)
      if (field === undefined) reportInvalid(value, `the field of the alias for '${key}' must be text`, this.#collector)
      else if (references.some(({ name }) => name === key)) fields.set(key, field)
      else {
        const hint = suggestName(key, references.map(({ name }) => name))
        const message = `the alias names '${key}', but 'correlation.rules' does not`
        this.#collector.error({ code: 'UNKNOWN_RULE', message, offset: keyOffset, hint })
      }
    }
    return fields
  }

  firing(): FiringMode | undefined {
    return this.choice('firing', firingModes)
  }

  /** An attribute that takes one of some words. */
  choice<Word extends string>(key: string, words: readonly Word[]): Word | undefined {
    const node = findEntry(this.#map, key)?.value
    if (node === undefined) return undefined
    const word = words.find((candidate) => candidate === getText(node))
    if (word === undefined) reportInvalid(node, `'correlation.${key}' must be one of ${words.join(', ')}`, this.#collector)
    return word
  }

  isTrue(map: YamlMap, key: string): boolean {
    const node = findEntry(map, key)?.value
    if (node === undefined) return false
    if (node.kind === 'scalar' && typeof node.value === 'boolean') return node.value
    reportInvalid(node, `'${key}' must be true or false`, this.#collector)
    return false
  }

  reportUnknownKeys(): void {
    for (const { key, keyOffset } of this.#map.entries) {
      if (knownKeys.includes(key)) continue
      const message = `the unknown key 'correlation.${key}' has no effect`
      this.#collector.lint({ code: 'UNKNOWN_ATTRIBUTE', message, offset: keyOffset, hint: suggestName(key, knownKeys) })
    }
  }

  #required(key: string): YamlNode | undefined {
    const node = findEntry(this.#map, key)?.value
    if (node === undefined) {
      const message = `the correlation has no '${key}'`
      this.#collector.error({ code: 'MISSING_ATTRIBUTE', message, offset: this.#map.offset })
    }
    return node
  }
}

/** Returns the text of a scalar; undefined for null and other nodes. */
function getText(node: YamlNode): string | undefined {
  return node.kind === 'scalar' && node.value !== null ? node.text : undefined
}

function isNull(node: YamlNode): boolean {
  return node.kind === 'scalar' && node.value === null
}

function reportInvalid(node: YamlNode, message: string, collector: DiagnosticCollector, hint?: string): void {
  collector.error({ code: 'INVALID_ATTRIBUTE', message, offset: node.offset, hint })
}
