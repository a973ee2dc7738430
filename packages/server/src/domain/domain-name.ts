import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'

/**
 * A name of the DNS in its one form: small letters, punycode, no dot at the end. Undefined for what is none, for
 * an address, and for a name of one label, which would be the parent of half the world.
 */
export function normalizeDomain(text: string): string | undefined {
  const name = normalizeHostName(text)
  return name?.includes('.') === true ? name : undefined
}

/** The name of a host in its one form, of one label or more; undefined for what is none and for an address. */
export function normalizeHostName(text: string): string | undefined {
  if (text.length > 1_000) return undefined
  const name = (isPlain(text) ? text.toLowerCase() : domainToASCII(text)).replace(/\.$/, '')
  if (name === '' || name.length > 253 || isIP(name) !== 0) return undefined
  return name.split('.').every(isLabel) ? name : undefined
}

/** A name and those above it, `a.b.example` and then `b.example`, but for the last label alone. */
export function listWithParents(name: string): string[] {
  const labels = name.split('.')
  return labels.slice(0, Math.max(1, labels.length - 1)).map((_, index) => labels.slice(index).join('.'))
}

/** Letters of ASCII are only folded: what turns other names into punycode reads `1.2` as an address. */
function isPlain(text: string): boolean {
  return /^[\w.-]*$/.test(text)
}

function isLabel(label: string): boolean {
  return /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label)
}
