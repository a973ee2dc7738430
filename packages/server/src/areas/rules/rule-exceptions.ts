import type { Runtime } from '@tripline/common/runtime'
import { AppError } from '@tripline/contract/app-error'
import { createRuleError } from '@tripline/detection/rules/rule-errors'
import type { Principal } from '@tripline/model/access/principal'
import { createUuidV7 } from '@tripline/model/ids'
import type { Rule, RuleException } from '@tripline/model/rule'
import type { StateStore } from '@tripline/state/ports/state-store'
import { isDeepStrictEqual } from 'node:util'
import { limits } from '../../limits.ts'

/** What new exceptions need of the server. */
export type ExceptionDeps = {
  readonly state: Pick<StateStore, 'users'>
  readonly clock: Pick<Runtime, 'now'>
  readonly randomBytes: Runtime['randomBytes']
}

/** An exception as sent by a client; an id refers to an existing one. */
export type ExceptionEdit = Pick<RuleException, 'detection' | 'reason' | 'expiresAt'> & {
  readonly id?: string | undefined
  readonly title?: string | undefined
  readonly owner?: string | undefined
}

/**
 * The new exceptions of a rule, or the current ones if none are sent. A new exception is owned by the principal unless it
 * names an owner.
 *
 * @throws AppError INVALID_RULE, or CONFLICT at the limit of exceptions.
 */
export async function applyExceptionEdits(
  deps: ExceptionDeps, caller: Principal, { rule, edits }: { readonly rule: Rule; readonly edits: readonly ExceptionEdit[] | undefined },
): Promise<readonly RuleException[]> {
  if (edits === undefined) return rule.exceptions
  const limit = limits.rules.exceptionsMax
  if (edits.length > limit) throw new AppError('CONFLICT', `a rule has at most ${limit} exceptions`, { limit })
  const user = caller.actor.type === 'user' ? await deps.state.users.get(caller.tenant, caller.actor.id) : undefined
  const nowMs = deps.clock.now()
  const exceptions = edits.map((edit, i) => {
    const present = rule.exceptions.find(({ id }) => id === edit.id)
    checkException(edit, { present, path: `filters.${i}`, nowMs })
    return buildException(edit, present ?? {
      id: createUuidV7(nowMs, deps.randomBytes),
      title: `Exception of ${rule.title}`.slice(0, limits.rules.exceptionTitleLengthMax),
      owner: user?.email ?? caller.actor.id,
      createdAt: nowMs,
    })
  })
  const twice = exceptions.findIndex(({ id }, i) => exceptions.findIndex((other) => other.id === id) !== i)
  if (twice !== -1) {
    throw createRuleError(`two entries of 'filters' have the id ${exceptions[twice]!.id}`, [{ path: `filters.${twice}.id` }])
  }
  return isDeepStrictEqual(exceptions, rule.exceptions) ? rule.exceptions : exceptions
}

type ExceptionContext = { readonly present: RuleException | undefined; readonly path: string; readonly nowMs: number }

function checkException({ id, detection, expiresAt }: ExceptionEdit, { present, path, nowMs }: ExceptionContext): void {
  if (id !== undefined && present === undefined) {
    const hint = 'omit the id to create one'
    throw createRuleError(`the rule has no exception with the id '${id.slice(0, 64)}'`, [{ path: `${path}.id`, hint }])
  }
  if (Object.hasOwn(detection, 'rules')) {
    throw createRuleError("an exception applies to its own rule; remove 'rules'", [{ path: `${path}.detection.rules` }])
  }
  // An expired exception may stay, for reference.
  const lifetime = limits.rules.exceptionLifetimeMaxMs
  if (present?.expiresAt === expiresAt || (expiresAt > nowMs && expiresAt <= nowMs + lifetime)) return
  throw createRuleError(`an exception must end in the future and within ${lifetime / 86_400_000} days`, [{ path: `${path}.expires_at` }])
}

function buildException(edit: ExceptionEdit, known: Pick<RuleException, 'id' | 'title' | 'owner' | 'createdAt'>): RuleException {
  const { detection, reason, expiresAt, title = known.title, owner = known.owner } = edit
  return { id: known.id, title, detection, owner, reason, createdAt: known.createdAt, expiresAt }
}
