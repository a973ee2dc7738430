import type { RuleSource } from '@tripline/engine'
import { findEntry, readYaml } from '@tripline/engine/yaml'
import type { YamlNode, YamlScalar } from '@tripline/engine/yaml'

/** Characters of the shortest literal that is changed: shorter ones are flags and extensions more often than names. */
const literalLengthMin = 4

/** Modifiers whose values are no text that is looked for as it stands. */
const nonLiteralKeys: ReadonlySet<string> = new Set([
  're', 'cidr', 'exists', 'expand', 'fieldref', 'lt', 'lte', 'gt', 'gte',
  'minute', 'hour', 'day', 'week', 'month', 'year',
])

/**
 * Gives the rules of each text `times` times: as they are, and then as clones that look for other things.
 * In a clone every letter and digit of every literal with four characters or more is another one of its kind,
 * chosen by the literal and the number of the clone alone; ids and names are new. Lengths, wildcards, escapes,
 * modifiers, fields, numbers, networks and regular expressions stay, and so does a literal that YAML does
 * not hold letter for letter. A text that cannot be read is repeated as it is.
 *
 * The clones of one number stand together: first all rules, then all first clones, and so on.
 */
export function synthesizeRules(sources: readonly RuleSource[], times: number): RuleSource[] {
  const templates = sources.map(createTemplate)
  return Array.from({ length: times }, (_, clone) => templates.map((template) => createClone(template, clone))).flat()
}

/** A part of a rule's text that differs in each clone. */
type Hole = {
  readonly kind: 'literal' | 'id' | 'newId' | 'name'
  readonly start: number
  /** What stands there; nothing where an id is to be added. */
  readonly text: string
  /** What the new id is made of, where the text is not enough. */
  readonly seed?: string
}

type Template = { readonly source: RuleSource; readonly holes: readonly Hole[] }

function createTemplate(source: RuleSource): Template {
  const { documents = [] } = readYaml(source.text)
  const holes = documents.flatMap((document) => [...findHoles(document, source.text)]).sort((a, b) => a.start - b.start)
  // What stands behind an alias is met once for each place that names it.
  return { source, holes: holes.filter(({ start }, i) => start !== holes[i - 1]?.start) }
}

function createClone({ source, holes }: Template, clone: number): RuleSource {
  if (clone === 0) return source
  let text = ''
  let end = 0
  for (const hole of holes) {
    text += source.text.slice(end, hole.start) + fillTemplate(hole, clone)
    end = hole.start + hole.text.length
  }
  return { path: `${source.path ?? ''}#${clone}`, text: text + source.text.slice(end) }
}

function fillTemplate({ kind, text, seed = text }: Hole, clone: number): string {
  switch (kind) {
    case 'id':
      return createRuleId(seed, clone)
    case 'newId':
      return `id: ${createRuleId(seed, clone)}\n`
    case 'name':
      return `${text}-${clone}`
    case 'literal':
      return changeLiteral(text, clone)
  }
}

function* findHoles(document: YamlNode, text: string): Generator<Hole> {
  if (document.kind !== 'map') return
  // Without an id a rule has that of its content, which a clone may share; a part of a collection is no rule yet.
  const isBlock = text[document.offset] !== '{' && (document.offset === 0 || text[document.offset - 1] === '\n')
  const needsId = findEntry(document, 'id') === undefined && findEntry(document, 'action') === undefined
  if (isBlock && needsId) yield { kind: 'newId', start: document.offset, text: '', seed: `${document.offset} ${text}` }
  for (const kind of ['id', 'name'] as const) {
    const value = findEntry(document, kind)?.value
    if (value?.kind === 'scalar' && value.textOffset !== undefined) yield { kind, start: value.textOffset, text: value.text }
  }
  const detection = findEntry(document, 'detection')?.value
  if (detection?.kind !== 'map') return
  for (const { key, value } of detection.entries) {
    if (key !== 'condition' && key !== 'timeframe') yield* findLiterals(value, true)
  }
}

/** The literals of a selection, of an item or of a list of either. */
function* findLiterals(node: YamlNode, isLiteral: boolean): Generator<Hole> {
  if (node.kind === 'list') for (const item of node.items) yield* findLiterals(item, isLiteral)
  else if (node.kind === 'map') {
    for (const { key, value } of node.entries) {
      const modifiers = key.split('|').slice(1)
      yield* findLiterals(value, !modifiers.some((modifier) => nonLiteralKeys.has(modifier)))
    }
  } else if (isLiteral && isChangeable(node)) yield { kind: 'literal', start: node.textOffset!, text: node.text }
}

function isChangeable({ value, text, textOffset }: YamlScalar): boolean {
  return textOffset !== undefined && typeof value === 'string' && text.length >= literalLengthMin && !/^[\d.]+$/.test(text)
}

/** Changes every ASCII letter and digit of a text to another one of its kind; equal texts of one clone stay equal. */
export function changeLiteral(text: string, clone: number): string {
  const random = createRandom(hashText(`${clone} ${text}`))
  const changed = text.replaceAll(/[a-z]|[A-Z]|\d/g, (character) => {
    const [first, size] = /\d/.test(character) ? ['0', 10] : /[a-z]/.test(character) ? ['a', 26] : ['A', 26]
    const start = first.charCodeAt(0)
    const step = 1 + (random() % (size - 1))
    return String.fromCharCode(start + ((character.charCodeAt(0) - start + step) % size))
  })
  // An unquoted text that now reads as a number or as a word of YAML would no longer be a literal.
  return /^(?:null|true|false)$/i.test(changed) || !Number.isNaN(Number(changed)) ? text : changed
}

function createRuleId(seed: string, clone: number): string {
  // Two seeds of 32 bits: of one, a hundred thousand rules would have two ids alike.
  const halves = [createRandom(hashText(`${clone} ${seed}`)), createRandom(hashText(`${seed} ${clone}`))]
  const digits = halves.flatMap((random) => Array.from({ length: 16 }, () => (random() & 15).toString(16))).join('')
  return digits.replace(/(.{8})(.{4}).(.{3}).(.{3})(.{12})/, '$1-$2-4$3-8$4-$5')
}

/** FNV-1a over UTF-16 units. */
function hashText(text: string): number {
  let sum = 0x811c9dc5
  for (let i = 0; i < text.length; i++) sum = Math.imul(sum ^ text.charCodeAt(i), 0x01000193)
  return sum
}

/** The same numbers below 2^31 for the same seed: steps of xorshift. */
function createRandom(seed: number): () => number {
  let state = seed === 0 ? 1 : seed
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 1) & 0x7fffffff
  }
}
