import { createHash } from 'node:crypto'
import { isObject } from '@tripline/engine/evaluate'
import type { NormalizedEvent } from '@tripline/engine/evaluate'
import { limits } from '../../limits.ts'
import { internAliasRules, getAliasRules } from './alias-rules.ts'
import type { NumberedAliasRules } from './alias-rules.ts'
import { EventTemplate, parseTemplatePaths } from './event-template.ts'
import type { Path } from './event-template.ts'
import { toToken } from './json-literal.ts'
import { splitEvent, valueMark } from './split-event.ts'

/** An event as a row: its template, and its tokens in column order. */
export type TemplatedEvent = { readonly template: EventTemplate; readonly tokens: readonly string[] }

/** How a template is written to a block. */
export type WrittenTemplate =
  | { readonly rules: number; readonly template: string }
  | { readonly rules: number; readonly paths: readonly Path[]; readonly emptyPaths: readonly Path[] }

/** Templates by key, shared by all blocks, so each is analysed once. */
const templates = new Map<string, EventTemplate>()
/** The same by the digest of their text and rules, so that a block's texts need not be decoded. */
const byDigest = new Map<string, EventTemplate>()
/** Bytes of a digest: no two texts with the same can be found. */
export const digestLength = 16

/** Converts an event to a row. `text` is its JSON, one character per byte; `event` is what rules see of it. */
export function toTemplatedEvent(text: string, event: NormalizedEvent, isOwnObject: boolean): TemplatedEvent {
  const rules = getAliasRules(event)
  const split = isOwnObject ? splitEvent(text, limits.events.shapeColumnsMax) : undefined
  const shape = split === undefined ? undefined : getSplitTemplate(rules, split.template)
  if (shape !== undefined) return { template: shape, tokens: split?.tokens ?? [] }
  return isOwnObject ? toOpaqueEvent(text, rules) : toRenamedEvent(text, event, rules)
}

/** Converts an event to a row of its whole text. */
export function toOpaqueEvent(text: string, rules: NumberedAliasRules): TemplatedEvent {
  return { template: getFieldTemplate(rules, [], []), tokens: [text] }
}

/** The interned template of a split text; undefined where its paths are ambiguous. */
function getSplitTemplate(rules: NumberedAliasRules, template: string): EventTemplate | undefined {
  const key = `${rules.number} ${template}`
  const known = templates.get(key)
  if (known !== undefined) return known
  const found = parseTemplatePaths(template)
  return found && rememberTemplate(new EventTemplate({ key, rules, fragments: template.split(valueMark), ...found }))
}

/** The interned template of events that keep their whole text, with these fields as columns beside it. */
function getFieldTemplate(rules: NumberedAliasRules, paths: readonly Path[], emptyPaths: readonly Path[]): EventTemplate {
  const key = `${rules.number}\u0000${JSON.stringify([paths, emptyPaths])}`
  return templates.get(key) ?? rememberTemplate(new EventTemplate({ key, rules, fragments: undefined, paths: [undefined,
    ...paths], emptyPaths }))
}

export function writeTemplate(shape: EventTemplate, rules: number): WrittenTemplate {
  if (shape.fragments !== undefined) return { rules, template: shape.fragments.join(valueMark) }
  return { rules, paths: shape.paths.filter((path) => path !== undefined), emptyPaths: shape.emptyPaths }
}

export function readTemplate(written: WrittenTemplate, rulesTexts: readonly string[]): EventTemplate | undefined {
  const text = rulesTexts[written.rules]
  if (text === undefined) return undefined
  const rules = internAliasRules(text)
  return 'template' in written ? getSplitTemplate(rules, written.template) : getFieldTemplate(rules, written.paths, written.emptyPaths)
}

/** The digest of a template as it is written, and the text of its alias rules. */
export function getTemplateDigest(rulesText: string, written: Buffer): Buffer {
  return createHash('sha256').update(rulesText).update('\0').update(written).digest().subarray(0, digestLength)
}

export function findTemplate(digest: Buffer): EventTemplate | undefined {
  return byDigest.get(digest.toString('latin1'))
}

export function rememberDigest(digest: Buffer, template: EventTemplate): void {
  if (byDigest.size >= limits.events.knownShapesMax) byDigest.clear()
  byDigest.set(digest.toString('latin1'), template)
}

/** Converts an event whose fields the taxonomy renamed: the text as it arrived, and the fields as rules see them. */
function toRenamedEvent(text: string, { fields }: NormalizedEvent, rules: NumberedAliasRules): TemplatedEvent {
  const paths: Path[] = []
  const emptyPaths: Path[] = []
  const tokens = [text]
  const open: { readonly value: unknown; readonly path: Path }[] = [{ value: fields, path: [] }]
  for (let top = open.pop(); top !== undefined; top = open.pop()) {
    const { value, path } = top
    if (isObject(value)) {
      const keys = Object.keys(value)
      if (keys.length === 0 && path.length > 0) emptyPaths.push(path)
      for (const key of keys) open.push({ value: value[key], path: [...path, key] })
    } else if (value !== undefined) {
      paths.push(path)
      tokens.push(toToken(value))
    }
    if (paths.length > limits.events.shapeColumnsMax) return toOpaqueEvent(text, rules)
  }
  return { template: getFieldTemplate(rules, paths, emptyPaths), tokens }
}

function rememberTemplate(shape: EventTemplate): EventTemplate {
  // Events decide how many templates there are: a flood costs time, never memory.
  if (templates.size >= limits.events.knownShapesMax) templates.clear()
  templates.set(shape.key, shape)
  return shape
}
