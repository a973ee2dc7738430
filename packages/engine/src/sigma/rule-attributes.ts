import { suggestName } from '../diagnostics.ts'
import type { DiagnosticCollector } from '../diagnostics.ts'
import type { RuleLogsource } from '../event/event.ts'
import { limits } from '../limits.ts'
import { levels, relationTypes, statuses } from './rule.ts'
import type { PlainValue, Relation, RuleAttributes } from './rule.ts'
import { toRuleId } from '../rule-id.ts'
import { findEntry } from './yaml-document.ts'
import type { YamlEntry, YamlMap, YamlNode } from './yaml-document.ts'

/** Attributes that rules of every kind may have. */
const sharedAttributes: readonly string[] =
  `title id name related taxonomy status description license author references date modified
   fields falsepositives level tags scope`.split(/\s+/)

const titleLengthMax = 256
const descriptionLengthMax = 65_535

/** Stands for the title of a rule that states none. */
const untitled = 'Untitled rule'

/**
 * Reads the attributes that all kinds of rules share and reports invalid ones: as advice, since a detection works without
 * them, or as errors if the collector is strict. `own` lists the attributes of this kind; all others are kept as custom
 * attributes.
 */
export function readAttributes(map: YamlMap, collector: DiagnosticCollector, own: readonly string[]): RuleAttributes {
  const read = new AttributeReader(map, collector)
  const attributes = {
    title: read.readTitle(),
    id: read.readId(),
    name: read.readText('name', titleLengthMax),
    related: read.readRelations(),
    taxonomy: read.readText('taxonomy', titleLengthMax),
    status: read.oneOf('status', statuses),
    description: read.readText('description', descriptionLengthMax),
    license: read.readText('license', descriptionLengthMax),
    author: read.readText('author', descriptionLengthMax),
    references: read.readTexts('references'),
    date: read.readDate('date'),
    modified: read.readDate('modified'),
    fields: read.readTexts('fields'),
    falsepositives: read.readTexts('falsepositives'),
    level: read.oneOf('level', levels),
    tags: read.readTags(),
    scope: read.readTexts('scope'),
    custom: readCustomAttributes(map, own),
  }
  if (attributes.taxonomy !== undefined && attributes.taxonomy !== 'sigma') {
    const offset = findEntry(map, 'taxonomy')?.value.offset ?? map.offset
    const message = `the taxonomy '${attributes.taxonomy}' has no mapping; use 'sigma'`
    collector.unsupported({ code: 'UNKNOWN_TAXONOMY', message, offset })
  }
  return attributes
}

/** Reads the attributes of a document and reports invalid ones. */
export class AttributeReader {
  readonly #map: YamlMap
  readonly #collector: DiagnosticCollector

  constructor(map: YamlMap, collector: DiagnosticCollector) {
    this.#map = map
    this.#collector = collector
  }

  /** Finds a section that a rule cannot do without. */
  readRequired(name: string): YamlEntry | undefined {
    const entry = findEntry(this.#map, name)
    if (entry === undefined) {
      this.#collector.error({ code: 'MISSING_ATTRIBUTE', message: `the rule has no '${name}'`, offset: this.#map.offset })
    }
    return entry
  }

  readTitle(): string {
    if (findEntry(this.#map, 'title') === undefined) {
      this.#collector.metadata({ code: 'MISSING_ATTRIBUTE', message: "the rule has no 'title'", offset: this.#map.offset })
    }
    return this.readText('title', titleLengthMax) ?? untitled
  }

  /** Reads a text; of other shapes, what can be shown of them. */
  readText(name: string, lengthMax: number): string | undefined {
    const entry = findEntry(this.#map, name)
    if (entry === undefined) return undefined
    const { value } = entry
    const text = printTexts(value).join(', ')
    if (value.kind !== 'scalar') this.#reportInvalid(value, `'${name}' must be text, not a ${value.kind}`)
    else if (text === '') this.#reportInvalid(value, `'${name}' must be non-empty text`)
    else if (typeof value.value !== 'string') this.#reportInvalid(value, `'${name}' must be text, not ${value.text}`, 'quote it')
    else if (text.length > lengthMax) {
      this.#reportInvalid(value, `'${name}' has ${text.length} characters; the limit is ${lengthMax}`)
    }
    return text === '' ? undefined : text.slice(0, lengthMax)
  }

  /** Reads a list of texts; of other shapes, the texts that they hold. */
  readTexts(name: string): readonly string[] {
    const entry = findEntry(this.#map, name)
    if (entry === undefined || isNull(entry.value)) return []
    const items = entry.value.kind === 'list' ? entry.value.items : [entry.value]
    const texts: string[] = []
    const seen = new Set<string>()
    for (const item of items) {
      if (item.kind !== 'scalar' || item.value === null) {
        this.#reportInvalid(item, `'${name}' must be a list of texts`)
        texts.push(...printTexts(item))
        continue
      }
      if (seen.has(item.text)) {
        this.#collector.lint({ code: 'DUPLICATE_VALUE', message: `'${name}' lists '${item.text}' twice`, offset: item.offset })
      }
      seen.add(item.text)
      texts.push(item.text)
    }
    return texts
  }

  oneOf<Value extends string>(name: string, allowed: readonly Value[]): Value | undefined {
    const entry = findEntry(this.#map, name)
    if (entry === undefined) return undefined
    const text = entry.value.kind === 'scalar' ? entry.value.text.toLowerCase() : ''
    const value = allowed.find((candidate) => candidate === text)
    if (value !== undefined) return value
    return this.#reportInvalid(entry.value, `'${name}' must be one of ${allowed.join(', ')}`, suggestName(text, allowed))
  }

  /** Reads the id as it is stated, a UUID in lower case. */
  readId(): string | undefined {
    const entry = findEntry(this.#map, 'id')
    if (entry === undefined) return undefined
    const { value } = entry
    const stated = value.kind === 'scalar' && value.value !== null ? value.text.trim() : ''
    if (stated === '') return this.#reportInvalid(value, "'id' must be a UUID", 'remove it, or state a UUID')
    const id = toRuleId(stated)
    if (value.kind === 'scalar' && id === value.text.toLowerCase()) return id
    this.#reportInvalid(value, `'id' must be a UUID; the engine calls the rule ${id}`)
    return stated
  }

  /** `YYYY-MM-DD`, or with slashes. */
  readDate(name: string): string | undefined {
    const entry = findEntry(this.#map, name)
    if (entry === undefined) return undefined
    const text = entry.value.kind === 'scalar' ? entry.value.text : ''
    const date = parseDate(text)
    const isUsual = date !== undefined && /^\d{4}([-/])\d{1,2}\1\d{1,2}$/.test(text)
    if (!isUsual) this.#reportInvalid(entry.value, `'${name}' must be a date, YYYY-MM-DD`)
    return date
  }

  readTags(): readonly string[] {
    const tags = this.readTexts('tags')
    const offset = findEntry(this.#map, 'tags')?.keyOffset ?? this.#map.offset
    for (const tag of tags) {
      // D3FEND names have upper-case letters, so tags of any case are valid.
      if (/^[a-z0-9_-]+\.[a-z0-9._-]+$/i.test(tag)) continue
      this.#collector.metadata({ code: 'INVALID_ATTRIBUTE', message: `the tag '${tag}' must have the form 'namespace.name'`, offset })
    }
    return tags
  }

  readRelations(): readonly Relation[] {
    const entry = findEntry(this.#map, 'related')
    if (entry === undefined || isNull(entry.value)) return []
    if (entry.value.kind !== 'list') {
      this.#reportInvalid(entry.value, "'related' must be a list")
      return []
    }
    return entry.value.items.flatMap((item) => {
      const id = item.kind === 'map' ? findEntry(item, 'id')?.value : undefined
      const type = item.kind === 'map' ? findEntry(item, 'type')?.value : undefined
      const typeText = type?.kind === 'scalar' ? type.text : ''
      const known = relationTypes.find((candidate) => candidate === typeText)
      if (id?.kind === 'scalar' && typeof id.value === 'string' && known !== undefined) return [{ id: id.value, type: known }]
      this.#reportInvalid(item, `an entry of 'related' must have an id and one of the types ${relationTypes.join(', ')}`)
      return []
    })
  }

  readLogsource(): (RuleLogsource & { readonly definition?: string }) | undefined {
    const entry = findEntry(this.#map, 'logsource')
    const message = "the rule needs a 'logsource' with at least one of category, product and service"
    if (entry === undefined || entry.value.kind !== 'map') {
      this.#collector.error({ code: 'INVALID_LOGSOURCE', message, offset: entry?.value.offset ?? this.#map.offset })
      return undefined
    }
    const logsource: { category?: string; product?: string; service?: string; definition?: string } = {}
    const anyOf: { category?: string[]; product?: string[]; service?: string[] } = {}
    for (const key of ['category', 'product', 'service', 'definition'] as const) {
      const value = findEntry(entry.value, key)?.value
      if (value === undefined || isNull(value)) continue
      if (key === 'definition') {
        if (value.kind !== 'scalar') this.#reportInvalid(value, "'logsource.definition' must be text")
        logsource.definition = printTexts(value).join(' ')
      } else if (value.kind === 'list') {
        const names = this.#readLogsourceList(key, value)
        if (names.length === 1) logsource[key] = names[0]!
        else if (names.length > 1) anyOf[key] = names
      } else if (value.kind !== 'scalar') {
        this.#collector.error({ code: 'INVALID_ATTRIBUTE', message: `'logsource.${key}' must be text`, offset: value.offset })
      } else if (value.text.trim() === '') this.#reportInvalid(value, `'logsource.${key}' is empty, which means any`, 'remove it')
      else logsource[key] = normalizeName(value.text)
    }
    const lists = Object.values(anyOf)
    const count = lists.reduce((product, { length }) => product * length, 1)
    if (count > limits.logsourcesMax) {
      const tooMany = `the logsource stands for ${count} log sources; the limit is ${limits.logsourcesMax}`
      this.#collector.error({ code: 'LIMIT_EXCEEDED', message: tooMany, offset: entry.keyOffset })
      return undefined
    }
    if (lists.length > 0) return { ...logsource, anyOf }
    if (logsource.category ?? logsource.product ?? logsource.service) return logsource
    this.#collector.error({ code: 'INVALID_LOGSOURCE', message, offset: entry.keyOffset })
    return undefined
  }

  /** A list in place of a text means any of its texts, as its authors mean it; the specification has no lists here. */
  #readLogsourceList(key: string, list: YamlNode & { readonly kind: 'list' }): string[] {
    const texts = list.items.map((item) => (item.kind === 'scalar' && !isNull(item) ? normalizeName(item.text) : ''))
    const names = [...new Set(texts)]
    if (names.length === 0 || names.includes('')) {
      this.#collector.error({ code: 'INVALID_ATTRIBUTE', message: `'logsource.${key}' must be text`, offset: list.offset })
      return []
    }
    this.#reportInvalid(list, `'logsource.${key}' must be text; the rule applies to any of ${names.join(', ')}`, 'write a rule for each')
    return names
  }

  #reportInvalid(node: YamlNode, message: string, hint?: string): undefined {
    this.#collector.metadata({ code: 'INVALID_ATTRIBUTE', message, offset: node.offset, hint })
  }
}

/** Converts a logsource value to lower case with `_` instead of spaces. */
function normalizeName(name: string): string {
  return name.trim().toLowerCase().replaceAll(/\s+/g, '_')
}

/** The texts that a node holds; `https: //example.org`, which YAML reads as a map, stays one text. */
function printTexts(node: YamlNode): string[] {
  if (node.kind === 'list') return node.items.flatMap(printTexts)
  if (node.kind === 'map') return node.entries.map(({ key, value }) => [key, ...printTexts(value)].join(': '))
  return node.value === null || node.text === '' ? [] : [node.text]
}

/** Reads the date that a text begins with, year first, with one kind of separator; undefined for a day that is none. */
function parseDate(text: string): string | undefined {
  const [, year = '', , month = '', day = ''] = /^\s*(\d{4})([-/.]?)(\d{1,2})\2(\d{1,2})(?!\d)/.exec(text) ?? []
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  if (year === '' || date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) return undefined
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}

function isNull(node: YamlNode): boolean {
  return node.kind === 'scalar' && node.value === null
}

function readCustomAttributes(map: YamlMap, own: readonly string[]): { readonly [attribute: string]: PlainValue } {
  return toPlainObject(map.entries.filter(({ key }) => !sharedAttributes.includes(key) && !own.includes(key)))
}

function toPlainValue(node: YamlNode): PlainValue {
  if (node.kind === 'scalar') return node.value
  return node.kind === 'list' ? node.items.map(toPlainValue) : toPlainObject(node.entries)
}

/** Converts the entries of a map to a plain object without a prototype, so that `__proto__` is an ordinary key. */
export function toPlainObject(entries: readonly YamlEntry[]): { [key: string]: PlainValue } {
  const object: { [key: string]: PlainValue } = Object.create(null)
  for (const { key, value } of entries) object[key] = toPlainValue(value)
  return object
}
