import { AppError } from '@tripline/contract/app-error'
import type { RuleRewriting } from '@tripline/detection/rules/rewriting'
import type { StoredRulePipeline } from '@tripline/model/rule'
import type { TenantId } from '@tripline/model/tenant'
import type { StateStore } from '@tripline/state/ports/state-store'
import { createRewriting, readPipeline } from './create-rewriting.ts'

type LoadDeps = {
  readonly state: Pick<StateStore, 'rulePipelines'>
  /** Called with a pipeline that cannot be applied any more. */
  readonly onProblem: (tenant: TenantId, pipeline: StoredRulePipeline, problem: string) => void
}

/** Loads what rewrites the rules of a tenant: its enabled pipelines, without those that this release cannot read. */
export async function loadRewriting({ state, onProblem }: LoadDeps, tenant: TenantId): Promise<RuleRewriting | undefined> {
  const enabled = (await state.rulePipelines.list(tenant)).filter(({ isEnabled }) => isEnabled)
  const readable = enabled.filter((pipeline) => {
    const problem = findPipelineProblem(pipeline)
    if (problem !== undefined) onProblem(tenant, pipeline, problem)
    return problem === undefined
  })
  return createRewriting(readable.map(({ text }) => text))
}

/** Why the text of a stored pipeline cannot be applied; undefined where it can. */
export function findPipelineProblem({ name, text }: StoredRulePipeline): string | undefined {
  try {
    readPipeline(text, name)
    return undefined
  } catch (error) {
    if (error instanceof AppError) return error.message
    throw error
  }
}
