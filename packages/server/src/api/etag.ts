import type { RequestContext } from './route.ts'

/** The strong validator of a version (D-40). */
export function printEtag(version: number): string {
  return `"${version}"`
}

/**
 * The versions under which a change is to be made, as `If-Match` says; undefined for any. A validator that is none of
 * ours, or a weak one, is no version: it matches nothing (RFC 9110, 13.1.1).
 */
export function readIfMatch(c: RequestContext): readonly number[] | undefined {
  const text = c.req.header('if-match')
  if (text === undefined || text.trim() === '*') return undefined
  const validators = text.split(',').map((part) => /^"(\d{1,15})"$/.exec(part.trim())?.[1])
  return validators.filter((digits) => digits !== undefined).map(Number)
}

/** Whether `If-None-Match` names a validator, weak or strong (RFC 9110, 13.1.2). */
export function matchesEtag(header: string, etag: string): boolean {
  if (header.trim() === '*') return true
  return header.split(',').some((part) => part.trim().replace(/^W\//, '') === etag)
}
