import { z } from 'zod'
import { instantParameter, listParameter } from '../page.ts'
import { toProfileName } from './profile.ts'
import type { Profile } from './profile.ts'
import { expandWord, listWords, severities } from './vocabulary.ts'
import type { Shape, ValueOf } from './shape.ts'
import type { Vocabulary } from './vocabulary.ts'

/** The query parameters of an operation by internal name: their wire form is text, and each may be absent. */
export type Parameters = { readonly [name: string]: Shape<unknown> }

/** The internal values of parameters. */
export type ParameterValues<Of extends Parameters> = { readonly [Name in keyof Of]?: ValueOf<Of[Name]> }

/** Words of a vocabulary, any of them: a word means all internal words that the profile shows as it. */
export function words<Word extends string>(vocabulary: Vocabulary<Word>): Shape<readonly Word[]> {
  return {
    toSchema: (profile) => listParameter(z.enum(listWords(vocabulary, profile))),
    render: (profile, values) => values.map((value) => vocabulary[value][profile]).join(','),
    parse: (profile, wire) => splitList(wire).flatMap((each) => expandWord(vocabulary, profile, each)),
  }
}

type Severity = keyof typeof severities

/**
 * Severities, any of them. The description of profile A can be read as wanting these in upper case, as its statuses are, so A
 * takes both.
 */
export const severityWords: Shape<readonly Severity[]> = {
  toSchema: (profile) => listParameter(z.enum(listWords(severities, profile)), (part) => fold(profile, part)),
  render: (profile, values) => values.map((value) => severities[value][profile]).join(','),
  parse: (profile, wire) => splitList(wire).flatMap((each) => expandWord(severities, profile, fold(profile, each))),
}

function fold(profile: Profile, text: string): string {
  return profile === 'a' && text === text.toUpperCase() ? text.toLowerCase() : text
}

/** Texts, any of them. */
export const texts: Shape<readonly string[]> = {
  toSchema: () => listParameter(z.string()),
  render: (_profile, values) => values.join(','),
  parse: (_profile, wire) => splitList(wire),
}

/** A time range's bound: RFC 3339 with any offset, or a date that means its start in UTC. */
export const time: Shape<number> = {
  toSchema: () => instantParameter,
  render: (_profile, at) => new Date(at).toISOString(),
  parse: (_profile, wire) => instantParameter.parse(String(wire)),
}

/** A text to search for: one character would be in nearly every entry. */
export function searchText(lengthMax: number): Shape<string> {
  const schema = z.string().min(2, 'must have at least 2 characters').max(lengthMax, `must have at most ${lengthMax} characters`)
  return { toSchema: () => schema, render: (_profile, value) => value, parse: (_profile, wire) => String(wire) }
}

/** A whole number from a least to a greatest one; more is refused, not reduced. */
export function wholeNumberParameter(min: number, max: number): z.ZodType<number, string> {
  const bounds = `must be a whole number from ${min} to ${max}`
  return z.string().regex(/^\d{1,9}$/, bounds).transform(Number).pipe(z.int().min(min, bounds).max(max, bounds))
    .meta({ type: 'integer', minimum: min, maximum: max })
}

/** The schema of parameters, as a profile names them. */
export function toParameterSchema(parameters: Parameters, profile: Profile): z.ZodObject {
  const members = Object.entries(parameters).map(([name, shape]) => {
    return [toProfileName(profile, name), shape.toSchema(profile).optional()] as const
  })
  return z.object(Object.fromEntries(members))
}

/** Parses the parameters that a request has, after their schema has validated them. */
export function parseParameters<Of extends Parameters>(
  parameters: Of, profile: Profile, given: { readonly [name: string]: string | undefined },
): ParameterValues<Of> {
  const parsed = Object.entries(parameters).flatMap(([name, shape]) => {
    const wire = given[toProfileName(profile, name)]
    return wire === undefined ? [] : [[name, shape.parse(profile, wire)] as const]
  })
  return Object.fromEntries(parsed) as ParameterValues<Of>
}

function splitList(wire: unknown): readonly string[] {
  return String(wire).split(',').map((part) => part.trim())
}
