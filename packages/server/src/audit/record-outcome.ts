import type { Principal } from '@tripline/model/access/principal'
import type { AuditOccurrence, AuditRecorder } from '@tripline/model/audit'
import { limits } from '../limits.ts'
import { describeAuditFailure } from './audit-aggregator.ts'

/** An action whose outcome is recorded. */
type AuditedAction = Pick<AuditOccurrence, 'action' | 'target' | 'details'>

export type OutcomeDeps = { readonly trail: AuditRecorder }

/** What is recorded of a result: figures such as a number of matches, and its outcome unless it is a success. */
type DescribedResult = Pick<AuditOccurrence, 'figures'> & Partial<Pick<AuditOccurrence, 'outcome'>>

/** Performs an action and records its outcome in the audit trail, with the reason of a failure. */
export async function recordOutcome<Result>(
  { trail }: OutcomeDeps, caller: Principal, action: AuditedAction,
  perform: () => Promise<Result>, describe: (result: Result) => DescribedResult,
): Promise<Result> {
  const result = await recordFailure({ trail }, caller, action, perform)
  trail.note({ ...toOccurrence(caller, action), outcome: 'success', ...describe(result) })
  return result
}

/** Performs an action and records in the audit trail if it fails. A refusal is recorded where its request is answered. */
export async function recordFailure<Result>(
  { trail }: OutcomeDeps, caller: Principal, action: AuditedAction, perform: () => Promise<Result>,
): Promise<Result> {
  try {
    return await perform()
  } catch (error) {
    const { outcome, reason } = describeAuditFailure(error)
    const details = { ...action.details, reason }
    if (outcome !== 'refused') trail.note({ ...toOccurrence(caller, { ...action, details }), outcome })
    throw error
  }
}

function toOccurrence(caller: Principal, { action, target, details = {} }: AuditedAction): Omit<AuditOccurrence, 'outcome'> {
  const { tenant, actor, ip, userAgent, requestId } = caller
  return { tenant, actor, action, target, details: cutTexts(details), circumstances: { ip, userAgent, requestId } }
}

/** Cuts texts from outside, such as queries, to what an entry holds. */
function cutTexts(details: NonNullable<AuditOccurrence['details']>): NonNullable<AuditOccurrence['details']> {
  const { textLengthMax } = limits.audit
  return Object.fromEntries(Object.entries(details).map(([name, value]) =>
    [name, typeof value === 'string' ? value.slice(0, textLengthMax) : value]))
}
