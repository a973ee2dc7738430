import type { RequestContext } from './route.ts'

/** The strong ETag of a version. */
export function printEtag(version: number): string {
  return `"${version}"`
}

/**
 * The versions allowed by `If-Match`; undefined for any. An ETag that is weak or not one of ours matches no version (RFC
 * 9110, 13.1.1).
 */
export function readIfMatch(c: RequestContext): readonly number[] | undefined {
  const text = c.req.header('if-match')
  if (text === undefined || text.trim() === '*') return undefined
  const validators = text.split(',').map((part) => /^"(\d{1,15})"$/.exec(part.trim())?.[1])
  return validators.filter((digits) => digits !== undefined).map(Number)
}

/** Whether `If-None-Match` contains an ETag, weak or strong (RFC 9110, 13.1.2). */
export function matchesEtag(header: string, etag: string): boolean {
  if (header.trim() === '*') return true
  return header.split(',').some((part) => part.trim().replace(/^W\//, '') === etag)
}
