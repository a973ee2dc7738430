import type { Runtime } from '@tripline/common/runtime'
import { AppError, createNameConflict } from '@tripline/contract/app-error'
import type { RuleRegistry } from '@tripline/detection/rules/rule-registry'
import type { TenantRules } from '@tripline/detection/rules/tenant-rules'
import { WorkBudget } from '@tripline/engine'
import type { Principal } from '@tripline/model/access/principal'
import { createUuidV7 } from '@tripline/model/ids'
import type { RulePipelineChange, StoredRulePipeline } from '@tripline/model/rule'
import type { TenantId } from '@tripline/model/tenant'
import type { StateStore, Stores } from '@tripline/state/ports/state-store'
import { checkVersion, requireFound, unwrapChange } from '@tripline/state/ports/version-conflict'
import type { ExpectedVersions, VersionedPatch } from '@tripline/state/ports/version-conflict'
import { nameActor } from '../../../audit/name-actor.ts'
import { recordAudit } from '../../../audit/record-audit.ts'
import { limits } from '../../../limits.ts'
import { findDifferentLines } from '../rule-diff.ts'
import type { CostlyRules } from '../tests/check-costly-definition.ts'
import { createRewriting, readPipeline } from './create-rewriting.ts'
import { findPipelineProblem } from './load-rewriting.ts'

/** What pipelines need of the server. */
export type RulePipelineDeps = {
  readonly state: StateStore
  readonly ruleBooks: Pick<RuleRegistry, 'build' | 'change' | 'get'>
  readonly costlyRules: CostlyRules
  readonly clock: Pick<Runtime, 'now'>
  readonly randomBytes: Runtime['randomBytes']
}

/** What a person states of a new pipeline; without a priority it has that of its text. */
type NewPipeline = Pick<StoredRulePipeline, 'name' | 'text' | 'isEnabled'> & { readonly priority: number | undefined }

/** What the pipelines of a tenant make of its rules. */
type PipelineEffect = { readonly changedCount: number; readonly refusedCount: number }

/** A change of a pipeline, and what all of them make of the rules. */
type PipelineChange = PipelineEffect & {
  readonly pipeline: StoredRulePipeline
  readonly effectiveFromOffset: number | undefined
}

const kindName = 'rule_pipeline'
const { pipelinesMax, totalLengthMax, priorityMax, workOfRuleMax, workMin } = limits.rulePipelines

/** The pipelines of a tenant in the order in which they run, and what they make of its rules. */
export async function listPipelines(
  { state, ruleBooks }: Pick<RulePipelineDeps, 'state' | 'ruleBooks'>, tenant: TenantId,
): Promise<PipelineEffect & { readonly pipelines: readonly StoredRulePipeline[] }> {
  return { pipelines: await state.rulePipelines.list(tenant), ...countEffect(await ruleBooks.get(tenant)) }
}

/** @throws AppError NOT_FOUND. */
export async function getPipeline(
  { state }: Pick<RulePipelineDeps, 'state'>, tenant: TenantId, id: string,
): Promise<StoredRulePipeline> {
  return requireFound(await state.rulePipelines.get(tenant, id), kindName)
}

/**
 * Creates a pipeline, and rewrites the rules of the tenant with it from the next event on.
 *
 * @throws AppError INVALID_PARAMETER for a text that is none or takes too much work, CONFLICT for a name that is taken and at the
 *   limit, RATE_LIMITED at the limit of costly changes.
 */
export function createPipeline(deps: RulePipelineDeps, caller: Principal, stated: NewPipeline): Promise<PipelineChange> {
  const { priority = readPriority(stated.text), ...rest } = stated
  readPipeline(stated.text, 'text')
  return commitPipelines(deps, caller, async (stored) => {
    if (stored.length >= pipelinesMax) {
      const message = `the tenant has ${pipelinesMax} rule pipelines, which is the limit; delete one first`
      throw new AppError('CONFLICT', message, { limit: pipelinesMax })
    }
    const at = deps.clock.now()
    const by = await nameActor(deps.state, caller)
    const pipeline: StoredRulePipeline = {
      ...rest, priority, id: createUuidV7(at, deps.randomBytes), version: 1, createdBy: by, updatedBy: by, createdAt: at, updatedAt: at,
    }
    return {
      pipeline, after: [...stored, pipeline],
      write: async (stores) => {
        const inserted = await stores.rulePipelines.insert(caller.tenant, pipeline)
        if (inserted === 'taken') throw createNameConflict('a rule pipeline', pipeline.name)
        const diff = diffPipelines(undefined, pipeline)
        await recordAudit(stores, caller, { at, action: 'rule_pipeline.create', target: { type: kindName, id: pipeline.id }, diff })
        return pipeline
      },
    }
  })
}

/** Changes a pipeline. @throws AppError as `createPipeline`; NOT_FOUND, PRECONDITION_FAILED. */
export function changePipeline(
  deps: RulePipelineDeps, caller: Principal, id: string, { patch, versions }: VersionedPatch<RulePipelineChange>,
): Promise<PipelineChange> {
  if (patch.text !== undefined) readPipeline(patch.text, 'text')
  return commitPipelines(deps, caller, async (stored) => {
    const before = requireFound(stored.find((one) => one.id === id), kindName)
    checkVersion(before, versions, kindName)
    const at = deps.clock.now()
    return {
      pipeline: before, after: stored.map((one) => one === before ? { ...before, ...patch } : one),
      write: async (stores) => {
        const change = { ...patch, by: await nameActor(stores, caller) }
        const changed = await stores.rulePipelines.update(caller.tenant, id, change, { expectedVersion: before.version, at })
        if (changed.outcome === 'taken') throw createNameConflict('a rule pipeline', patch.name ?? '')
        const pipeline = unwrapChange(changed, kindName)
        if (changed.outcome === 'unchanged') return pipeline
        const diff = diffPipelines(before, pipeline)
        await recordAudit(stores, caller, { at, action: 'rule_pipeline.update', target: { type: kindName, id }, diff })
        return pipeline
      },
    }
  })
}

/** Removes a pipeline. @throws AppError NOT_FOUND, PRECONDITION_FAILED. */
export async function removePipeline(deps: RulePipelineDeps, caller: Principal, id: string, versions: ExpectedVersions): Promise<void> {
  await commitPipelines(deps, caller, async (stored) => {
    const pipeline = requireFound(stored.find((one) => one.id === id), kindName)
    checkVersion(pipeline, versions, kindName)
    return {
      pipeline, after: stored.filter((one) => one !== pipeline),
      write: async (stores) => {
        await stores.rulePipelines.remove(caller.tenant, id)
        const diff = diffPipelines(pipeline, undefined)
        await recordAudit(stores, caller, { at: deps.clock.now(), action: 'rule_pipeline.delete', target: { type: kindName, id }, diff })
        return pipeline
      },
    }
  })
}

/** What becomes of the pipelines of a tenant, and how that is stored. */
type DecidedPipelines = {
  readonly pipeline: StoredRulePipeline
  readonly after: readonly StoredRulePipeline[]
  readonly write: (stores: Stores) => Promise<StoredRulePipeline>
}

/** Rewrites the rules of a tenant with changed pipelines, and stores these where its stream switches over. */
async function commitPipelines(
  deps: RulePipelineDeps, caller: Principal, decide: (stored: readonly StoredRulePipeline[]) => Promise<DecidedPipelines>,
): Promise<PipelineChange> {
  const { tenant } = caller
  const { state, ruleBooks } = deps
  let pipeline: StoredRulePipeline | undefined
  const { effectiveFromOffset } = await ruleBooks.change(tenant, async (book) => {
    const decided = await decide(await state.rulePipelines.list(tenant))
    checkTotal(decided.after)
    const store = async (): Promise<void> => {
      pipeline = await state.transaction(decided.write)
    }
    const texts = listRunningTexts(decided.after)
    if (JSON.stringify(texts) === JSON.stringify(book.library.rewriting?.texts ?? [])) {
      await store()
      return { book }
    }
    return { book: await rewriteRules(deps, tenant, { book, texts }), store }
  })
  if (pipeline === undefined) throw new Error('a change of a pipeline came to nothing')
  return { pipeline, effectiveFromOffset, ...countEffect(await ruleBooks.get(tenant)) }
}

/** The texts of the pipelines that run, in their order. */
function listRunningTexts(pipelines: readonly StoredRulePipeline[]): readonly string[] {
  const enabled = pipelines.filter((pipeline) => pipeline.isEnabled && findPipelineProblem(pipeline) === undefined)
  return enabled.toSorted((a, b) => a.priority - b.priority || a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1)).map(({ text }) => text)
}

/** @throws AppError INVALID_PARAMETER where it takes too much work; RATE_LIMITED. */
async function rewriteRules(
  { ruleBooks, costlyRules }: RulePipelineDeps, tenant: TenantId,
  { book, texts }: { readonly book: TenantRules; readonly texts: readonly string[] },
): Promise<TenantRules> {
  costlyRules.costlyChanges.record(tenant)
  const budget = new WorkBudget(Math.max(workMin, workOfRuleMax * book.rules.length))
  const rewritten = await ruleBooks.build(tenant, createRewriting(texts), budget)
  if (!budget.isExceeded) return rewritten
  const message = `'text': compiling all rules with the pipelines takes more than ${budget.max} work units; use fewer steps and names`
  throw new AppError('INVALID_PARAMETER', message, { parameter: 'text' })
}

function checkTotal(pipelines: readonly StoredRulePipeline[]): void {
  const length = pipelines.reduce((sum, { text }) => sum + text.length, 0)
  if (length <= totalLengthMax) return
  const message = `the rule pipelines of a tenant have at most ${totalLengthMax} characters together; these have ${length}`
  throw new AppError('CONFLICT', message, { limit: totalLengthMax })
}

/** The priority that a text states. @throws AppError INVALID_PARAMETER. */
function readPriority(text: string): number {
  const { priority } = readPipeline(text, 'text')
  if (Number.isInteger(priority) && priority >= 0 && priority <= priorityMax) return priority
  const message = `'text': the priority is no whole number from 0 to ${priorityMax}; state 'priority'`
  throw new AppError('INVALID_PARAMETER', message, { parameter: 'text' })
}

/** Counts the rules that came with the server and that the pipelines change or refuse. */
function countEffect({ library: { original, rules } }: TenantRules): PipelineEffect {
  const touched = original === undefined ? [] : [...rules].filter(([id, loaded]) => loaded !== original.rules.get(id))
  const refusedCount = touched.filter(([, { problem }]) => problem !== undefined).length
  return { changedCount: touched.length - refusedCount, refusedCount }
}

function diffPipelines(
  before: StoredRulePipeline | undefined, after: StoredRulePipeline | undefined,
): { readonly [name: string]: readonly unknown[] } {
  const pairs = ([['name', 'name'], ['priority', 'priority'], ['isEnabled', 'enabled']] as const)
    .map(([key, name]) => [name, [before?.[key] ?? null, after?.[key] ?? null]] as const)
  const [old, now] = [before?.text ?? '', after?.text ?? '']
  return {
    ...Object.fromEntries(pairs.filter(([, [was, is]]) => was !== is)),
    ...(old !== now && { text: findDifferentLines(old, now) }),
  }
}
