import type { AlertDetailBody } from '@tripline/contract/console/alert'
import type { ExplanationBody } from '@tripline/contract/console/rule'
import { toSigmaLiteral } from '../../../lib/sigma-literal.ts'

type Comparison = Extract<ExplanationBody, { readonly op: string }>
type Scalar = string | number | boolean

/** A field that an exception may name, with the value that the event has. */
export type ProposedCondition = {
  readonly field: string
  readonly value: Scalar
  /** Whether it is proposed at first: what the rule matched, and the host. */
  readonly isChosen: boolean
}

/** What an exception for an alert may name: the fields that the rule matched with their values, the host and the user. */
export function proposeConditions(
  { evidence: [first], event: { host, user } }: Pick<AlertDetailBody, 'evidence' | 'event'>, reasons: readonly Comparison[],
): readonly ProposedCondition[] {
  const event = first?.event ?? {}
  const conditions = new Map<string, ProposedCondition>()
  const add = (field: string | undefined, value: unknown, isChosen: boolean): void => {
    if (field !== undefined && isScalar(value) && !conditions.has(field)) conditions.set(field, { field, value, isChosen })
  }
  for (const { field, actual } of reasons) add(field ?? undefined, actual ?? event[field ?? ''], true)
  add(findField(event, host), host, true)
  add(findField(event, user), user, false)
  return [...conditions.values()]
}

/** The detection of an exception that excludes events with all of these values. */
export function toDetection(conditions: readonly ProposedCondition[]): { readonly [name: string]: unknown } {
  return { exception: Object.fromEntries(conditions.map(({ field, value }) => [field, toLiteral(value)])), condition: 'not exception' }
}

/** A value as Sigma reads it back. */
function toLiteral(value: Scalar): Scalar {
  return typeof value === 'string' ? toSigmaLiteral(value) : value
}

function isScalar(value: unknown): value is Scalar {
  return (typeof value === 'string' && value !== '') || typeof value === 'number' || typeof value === 'boolean'
}

/** The field of an event that holds a text. */
function findField(event: { readonly [field: string]: unknown }, text: string): string | undefined {
  return Object.entries(event).find(([, value]) => value === text)?.[0]
}
