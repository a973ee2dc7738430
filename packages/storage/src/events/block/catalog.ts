import { foldCase } from '@tripline/engine/evaluate'
import { limits } from '../../limits.ts'
import type { CatalogField, FieldCatalog, FieldType } from '../event-store.ts'
import { fieldTypes } from '../event-store.ts'
import type { Path } from './event-template.ts'
import { parseToken } from './json-literal.ts'

/** Describes a column for the field catalog: how often it occurs, its types, its frequent values. */
export function catalogColumn(path: Path, tokens: readonly string[], codes: readonly number[]): CatalogField {
  const counts = new Uint32Array(tokens.length)
  for (const code of codes) counts[code]!++
  const { listedValuesMax, listedValueLengthMax } = limits.events
  const compare = (a: number, b: number): number => counts[b]! - counts[a]! || (tokens[a]! < tokens[b]! ? -1 : 1)
  // Most columns of a block have a few values, some have as many as rows: no sort of them all.
  const frequent: number[] = []
  for (let code = 0; code < tokens.length; code++) {
    if (tokens[code]!.length > listedValueLengthMax) continue
    if (frequent.length === listedValuesMax && compare(code, frequent.at(-1)!) > 0) continue
    if (frequent.length === listedValuesMax) frequent.pop()
    frequent.push(code)
    frequent.sort(compare)
  }
  const types = new Set(tokens.map(getTokenType))
  return {
    name: path.join('.'),
    eventCount: codes.length,
    types: fieldTypes.filter((type) => types.has(type)),
    values: frequent.map((code) => ({ text: readTokenText(tokens[code]!), count: counts[code]! })),
  }
}

/** Merges the catalogs of several blocks. */
export function mergeCatalogs(catalogs: readonly (readonly CatalogField[])[]): FieldCatalog {
  const merged = new Map<string, { eventCount: number; types: Set<FieldType>; values: Map<string, number> }>()
  for (const field of catalogs.flat()) {
    const known = merged.get(field.name) ?? { eventCount: 0, types: new Set(), values: new Map<string, number>() }
    merged.set(field.name, known)
    known.eventCount += field.eventCount
    for (const type of field.types) known.types.add(type)
    for (const { text, count } of field.values) known.values.set(text, (known.values.get(text) ?? 0) + count)
  }
  const { catalogFieldsMax, catalogValuesMax } = limits.events
  const mostCommon = [...merged].sort(([, a], [, b]) => b.eventCount - a.eventCount).slice(0, catalogFieldsMax)
  const fields = mostCommon.sort(compareByName).map(([name, field]) => ({
    name,
    eventCount: field.eventCount,
    types: fieldTypes.filter((type) => field.types.has(type)),
    values: [...field.values].sort(compareByFrequency).slice(0, catalogValuesMax).map(([text, count]) => ({ text, count })),
  }))
  return { fields, isCut: merged.size > fields.length }
}

/** Compares names alphabetically, ignoring case. */
export function compareByName([a]: readonly [name: string, ...unknown[]], [b]: readonly [name: string, ...unknown[]]): number {
  const [foldedA, foldedB] = [foldCase(a), foldCase(b)]
  return foldedA === foldedB ? (a < b ? -1 : 1) : foldedA < foldedB ? -1 : 1
}

export function compareByFrequency([a, aCount]: [string, number], [b, bCount]: [string, number]): number {
  return bCount - aCount || (a < b ? -1 : 1)
}

function getTokenType(token: string): FieldType {
  switch (token[0]) {
    case '"':
      return 'text'
    case '[':
      return 'list'
    case 't':
    case 'f':
      return 'boolean'
    case 'n':
      return 'null'
    default:
      return 'number'
  }
}

function readTokenText(token: string): string {
  const value = parseToken(token)
  return typeof value === 'string' ? value : Buffer.from(token, 'latin1').toString('utf8')
}
