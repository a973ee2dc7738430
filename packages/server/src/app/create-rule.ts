import { AppError } from '../domain/app-error.ts'
import { createUuidV7 } from '../domain/ids.ts'
import type { Principal } from '../domain/principal.ts'
import { buildRule } from '../domain/rule.ts'
import { limits } from '../limits.ts'
import { checkTextWork, compileDefinition } from '../rules/compile-definition.ts'
import { editDefinition, readSingleMap } from '../rules/edit-definition.ts'
import { loadRule } from '../rules/load-rule.ts'
import type { TenantRules } from '../rules/tenant-rules.ts'
import type { App } from './app.ts'
import type { RuleEdit, RuleChangeOptions } from './change-rule.ts'
import { checkRule } from './check-rule.ts'
import { commitRuleChange } from './commit-rule-change.ts'
import type { RuleChange } from './commit-rule-change.ts'
import { applyExceptionEdits } from './rule-exceptions.ts'

/** A new rule. By default it is published and enabled, unless its status is unsupported. */
export type NewRule = Pick<RuleEdit, 'isEnabled' | 'lifecycle' | 'exceptions'> & { readonly definition: string }

/**
 * Creates a custom rule. A text without an id gets one.
 *
 * @throws AppError CONFLICT for an id that is taken, or at the limit of rules; otherwise as `changeRule`.
 */
export function createRule(app: App, caller: Principal, asked: NewRule, terms: Pick<RuleChangeOptions, 'isForced'>): Promise<RuleChange> {
  return commitRuleChange(app, caller, {
    action: 'rule.create',
    decide: async (book) => {
      checkRuleLimit(book)
      checkTextWork(asked.definition)
      const nowMs = app.clock.now()
      const hasId = readSingleMap(asked.definition).entries.some(({ key }) => key === 'id')
      const newId = new Map([['id', createUuidV7(nowMs, app.randomBytes)]])
      const definition = hasId ? asked.definition : editDefinition(asked.definition, newId)
      const context = { library: book.library, among: book.all, nowMs }
      const own = compileDefinition(definition, { among: book.all, filterSources: book.library.filterSources })[0]!
      if (book.get(own.id) !== undefined) throw new AppError('CONFLICT', `a rule with the id ${own.id} already exists`, { id: own.id })
      const { lifecycle = 'published', isEnabled = lifecycle === 'published' && own.rule.status !== 'unsupported' } = asked
      const bare = buildRule(own, {
        isEnabled, lifecycle, origin: 'custom', version: 1, definition, exceptions: [], createdAt: nowMs, updatedAt: nowMs,
      })
      const exceptions = await applyExceptionEdits(app, caller, { rule: bare, edits: asked.exceptions })
      const after = loadRule({ ...bare, exceptions }, context)
      const warnings = await checkRule(book, { before: undefined, after }, terms)
      return { rule: after.rule, put: after, warnings }
    },
  })
}

function checkRuleLimit({ own }: TenantRules): void {
  const limit = limits.rules.customMax
  const count = [...own.values()].filter(({ rule }) => rule.origin === 'custom').length
  if (count < limit) return
  throw new AppError('CONFLICT', `the tenant has reached its limit of ${limit} custom rules; delete one first`, { limit })
}
