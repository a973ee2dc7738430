import { AppError } from '@tripline/contract/app-error'
import { toExceptionSources } from '@tripline/detection/rules/compile-definition'
import { getMemberIds } from '@tripline/detection/rules/loaded-rule'
import type { LoadedRule } from '@tripline/detection/rules/loaded-rule'
import type { RuleRegistry } from '@tripline/detection/rules/rule-registry'
import type { TenantRules } from '@tripline/detection/rules/tenant-rules'
import type { Runtime } from '@tripline/common/runtime'
import type { RuleSource } from '@tripline/engine'
import type { Rule } from '@tripline/model/rule'
import type { TenantId } from '@tripline/model/tenant'
import { createRequire } from 'node:module'
import { limits } from '../../../limits.ts'
import { requireRule } from '../rules.ts'

/** What the context of a compilation needs of the server. */
type CompileContextDeps = {
  readonly ruleBooks: Pick<RuleRegistry, 'get'>
  readonly clock: Pick<Runtime, 'now'>
}

/** What a rule is compiled with besides its text. */
type CompileContext = {
  readonly filters: readonly RuleSource[]
  /** The texts of the pipelines that run, in their order. */
  readonly pipelines: readonly string[]
  /** The values that the pipelines give to placeholders, by name. */
  readonly placeholders: { readonly [name: string]: readonly string[] }
  /** The rules that are referred to, directly or indirectly. */
  readonly rules: readonly Pick<Rule, 'id' | 'title' | 'definition'>[]
  readonly unknownNames: readonly string[]
  /** The version of the engine that compiles it here. */
  readonly engineVersion: string
}

const { version: engineVersion } = createRequire(import.meta.url)('@tripline/engine/package.json') as { readonly version: string }

/**
 * Collects what a rule is compiled with: the filters of the installation, the exceptions in force, and the rules that a
 * correlation refers to. `names` are ids or names that an unsaved text refers to.
 *
 * @throws AppError NOT_FOUND for an unknown rule; PAYLOAD_TOO_LARGE for more rules than a response holds.
 */
export async function collectCompileContext(
  { ruleBooks, clock }: CompileContextDeps, tenant: TenantId,
  { ruleId, names }: { readonly ruleId: string | undefined; readonly names: readonly string[] },
): Promise<CompileContext> {
  const book = await ruleBooks.get(tenant)
  const own = ruleId === undefined ? undefined : requireRule(book, ruleId)
  const resolved = new Map(names.map((name) => [name, book.get(name.toLowerCase()) ?? findByName(book, name)]))
  const named = [...resolved.values()].filter((loaded) => loaded !== undefined)
  const concerned = collectReferences(book, [...(own === undefined ? [] : [own]), ...named])
  const nowMs = clock.now()
  const exceptions = concerned.flatMap(({ rule, parts }) => {
    return toExceptionSources(parts, rule.exceptions.filter(({ expiresAt }) => expiresAt > nowMs))
      .map((source) => ({ ...source, path: `${rule.id} ${source.path}` }))
  })
  return {
    filters: [...book.library.filterSources, ...exceptions],
    pipelines: book.library.rewriting?.texts ?? [],
    placeholders: book.library.rewriting?.placeholders ?? {},
    rules: concerned.flatMap(({ rule }) => (rule.id === ruleId ? [] : [rule])),
    unknownNames: [...resolved].flatMap(([name, loaded]) => (loaded === undefined ? [name] : [])),
    engineVersion,
  }
}

function findByName(book: TenantRules, name: string): LoadedRule | undefined {
  const id = book.findIdByName(name)
  return id === undefined ? undefined : book.get(id)
}

/** The rules and all that they refer to. @throws AppError PAYLOAD_TOO_LARGE. */
function collectReferences(book: TenantRules, roots: readonly LoadedRule[]): readonly LoadedRule[] {
  const found = new Map(roots.map((loaded) => [loaded.rule.id, loaded]))
  let length = 0
  const { contextRulesMax, contextLengthMax } = limits.rules
  // Iterating a map includes the entries added meanwhile.
  for (const { parts, rule } of found.values()) {
    length += rule.definition.length
    if (found.size > contextRulesMax || length > contextLengthMax) {
      const message = `the rule refers to more than ${contextRulesMax} rules or ${contextLengthMax} characters of rules`
      throw new AppError('PAYLOAD_TOO_LARGE', message)
    }
    for (const id of parts.flatMap(getMemberIds)) {
      const member = book.get(id)
      if (member !== undefined) found.set(id, member)
    }
  }
  return [...found.values()]
}
