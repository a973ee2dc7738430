import { isJsonObject } from '@tripline/common/json'
import { limits } from '../limits.ts'

/** What of an entry may name a person: who acted and from where, and what changed. */
export type AuditTexts = {
  readonly email: string | undefined
  readonly ip: string | undefined
  readonly userAgent: string | undefined
  readonly requestId: string | undefined
  readonly diff: { readonly [name: string]: unknown } | undefined
}

/** What a value of an entry belongs to: its actor, or what the entry tells. */
export type TextOwner = 'actor' | 'entry'

/** Replaces the values of an entry that may name a person: texts, short lists text by text, and all else as a whole. */
export function mapAuditTexts(texts: AuditTexts, map: (value: unknown, owner: TextOwner) => unknown): AuditTexts {
  const mapField = (text: string | undefined): string | undefined => {
    if (text === undefined || isNameless(text)) return text
    const mapped = map(text, 'actor')
    return typeof mapped === 'string' ? mapped : JSON.stringify(mapped)
  }
  const mapValue = (value: unknown): unknown => (isNameless(value) ? value : map(value, 'entry'))
  const mapMember = (value: unknown): unknown =>
    (Array.isArray(value) && value.length <= limits.state.auditListMax ? value.map(mapValue) : mapValue(value))
  const { email, ip, userAgent, requestId, diff } = texts
  return {
    email: mapField(email), ip: mapField(ip), userAgent: mapField(userAgent), requestId: mapField(requestId),
    diff: diff && Object.fromEntries(Object.entries(diff).map(([name, value]) => [name, mapMember(value)])),
  }
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/

/** Whether a value cannot name a person: an erasure looks for no text that is so short. */
function isNameless(value: unknown): boolean {
  if (typeof value !== 'string') return !Array.isArray(value) && !isJsonObject(value)
  return value.length < limits.erasure.identifierLengthMin || uuid.test(value) || instant.test(value)
}
