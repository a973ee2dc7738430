import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'

/**
 * Normalizes a domain name: lower case, punycode, no trailing dot. Undefined for anything else, for addresses, and for a
 * single label, which would be the parent of many names.
 */
export function normalizeDomain(text: string): string | undefined {
  const name = normalizeHostName(text)
  return name?.includes('.') === true ? name : undefined
}

/** Normalizes a host name of one or more labels; undefined for anything else and for addresses. */
export function normalizeHostName(text: string): string | undefined {
  if (text.length > 1_000) return undefined
  const name = (isPlain(text) ? text.toLowerCase() : domainToASCII(text)).replace(/\.$/, '')
  if (name === '' || name.length > 253 || isIP(name) !== 0) return undefined
  return name.split('.').every(isLabel) ? name : undefined
}

/** A name and its parent domains, `a.b.example` then `b.example`, except the last label alone. */
export function listWithParents(name: string): string[] {
  const labels = name.split('.')
  return labels.slice(0, Math.max(1, labels.length - 1)).map((_, index) => labels.slice(index).join('.'))
}

/** ASCII names are only lower-cased: the punycode conversion would read `1.2` as an address. */
function isPlain(text: string): boolean {
  return /^[\w.-]*$/.test(text)
}

function isLabel(label: string): boolean {
  return /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label)
}
