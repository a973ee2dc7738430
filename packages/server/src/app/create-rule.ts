import { AppError } from '../domain/app-error.ts'
import { uuidV7 } from '../domain/ids.ts'
import type { Caller } from '../domain/principal.ts'
import { ruleOf } from '../domain/rule.ts'
import { limits } from '../limits.ts'
import { compileDefinition } from '../rules/compile-definition.ts'
import { editDefinition, soleMap } from '../rules/edit-definition.ts'
import { loadRule } from '../rules/load-rule.ts'
import type { RuleBook } from '../rules/tenant-rules.ts'
import type { App } from './app.ts'
import type { RuleEdit, RuleTerms } from './change-rule.ts'
import { checkRule } from './check-rule.ts'
import { keepChange } from './commit-rule-change.ts'
import type { RuleChange } from './commit-rule-change.ts'
import { editedExceptions } from './rule-exceptions.ts'

/** A rule that is not there yet. It is published and enabled, unless something else is said or its status is unsupported. */
export type NewRule = Pick<RuleEdit, 'isEnabled' | 'lifecycle' | 'exceptions'> & { readonly definition: string }

/**
 * Adds a rule of the tenant's own. One that states no id gets one, in its text.
 *
 * @throws AppError CONFLICT for an id that is taken, or one rule too many; otherwise as `changeRule`.
 */
export function createRule(app: App, caller: Caller, asked: NewRule, terms: Pick<RuleTerms, 'isForced'>): Promise<RuleChange> {
  return keepChange(app, caller, {
    action: 'rule.create',
    decide: async (book) => {
      refuseOneTooMany(book)
      const nowMs = app.clock.now()
      const hasId = soleMap(asked.definition).entries.some(({ key }) => key === 'id')
      const newId = new Map([['id', uuidV7(nowMs, app.randomBytes)]])
      const definition = hasId ? asked.definition : editDefinition(asked.definition, newId)
      const context = { library: book.library, among: book.all, nowMs }
      const own = compileDefinition(definition, { among: book.all, filterSources: book.library.filterSources })[0]!
      if (book.get(own.id) !== undefined) throw new AppError('CONFLICT', `there is a rule with the id ${own.id}`, { id: own.id })
      const { lifecycle = 'published', isEnabled = lifecycle === 'published' && own.rule.status !== 'unsupported' } = asked
      const bare = ruleOf(own, {
        isEnabled, lifecycle, origin: 'custom', version: 1, definition, exceptions: [], createdAt: nowMs, updatedAt: nowMs,
      })
      const exceptions = await editedExceptions(app, caller, { rule: bare, edits: asked.exceptions })
      const after = loadRule({ ...bare, exceptions }, context)
      const warnings = await checkRule(book, { before: undefined, after }, terms)
      return { rule: after.rule, put: after, warnings }
    },
  })
}

function refuseOneTooMany({ own }: RuleBook): void {
  const limit = limits.rules.customMax
  const count = [...own.values()].filter(({ rule }) => rule.origin === 'custom').length
  if (count >= limit) throw new AppError('CONFLICT', `a tenant has at most ${limit} rules of its own`, { limit })
}
