import { AppError } from '@tripline/contract/app-error'
import { isAllowed } from '@tripline/model/access/permission'
import type { Principal } from '@tripline/model/access/principal'
import { limits } from '../../limits.ts'
import { changeRule } from './change-rule.ts'
import type { RuleChange, RuleChangeDeps, RuleChangeOptions } from './change-rule.ts'
import type { ExceptionEdit } from './rule-exceptions.ts'

/**
 * Adds an exception to a rule without changing anything else. Principals without the permission `suppress` may only add
 * short exceptions.
 *
 * @throws AppError FORBIDDEN for an exception that is too long for the principal; otherwise as `changeRule`.
 */
export async function addException(
  deps: RuleChangeDeps, caller: Principal, ruleId: string,
  { exception, ...terms }: Pick<RuleChangeOptions, 'versions'> & { readonly exception: ExceptionEdit },
): Promise<RuleChange> {
  const lifetimeMax = limits.rules.briefExceptionMaxMs
  if (!isAllowed(caller.grants, 'suppress') && exception.expiresAt > deps.clock.now() + lifetimeMax) {
    const message = `an exception of more than ${lifetimeMax / 86_400_000} days requires the permission 'suppress', which you do not have`
    throw new AppError('FORBIDDEN', message, { permission: 'suppress' })
  }
  return await changeRule(deps, caller, ruleId, { addedException: exception }, { ...terms, isForced: false })
}
