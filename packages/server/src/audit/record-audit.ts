import { isJsonObject } from '@tripline/common/json'
import type { Principal } from '@tripline/model/access/principal'
import type { AuditFacts } from '@tripline/model/audit'
import type { Stores } from '@tripline/state/ports/state-store'
import { redactValue } from '../runtime/redact.ts'

/** An action for the audit trail, without its actor. */
export type AuditNote = Pick<AuditFacts, 'at' | 'action' | 'target'> & {
  readonly outcome?: AuditFacts['outcome']
  /** What changed, such as `{ enabled: [true, false] }`; secrets are masked here. */
  readonly diff?: { readonly [name: string]: unknown } | undefined
}

/**
 * Records an action in the audit trail. With the stores of a transaction, the entry is committed if and only if the action
 * is.
 */
export async function recordAudit({ audit, users }: Pick<Stores, 'audit' | 'users'>, caller: Principal, note: AuditNote): Promise<void> {
  const { tenant, actor, label, ip, userAgent, requestId } = caller
  const user = actor.type === 'user' ? await users.get(tenant, actor.id) : undefined
  const diff = redactValue(note.diff)
  await audit.append(tenant, {
    outcome: 'success', ...note, diff: isJsonObject(diff) ? diff : undefined,
    actor: { ...actor, email: user?.email ?? label }, ip, userAgent, requestId,
  })
}
