import { AppError } from '@tripline/contract/app-error'
import type { RuleRewriting } from '@tripline/detection/rules/rewriting'
import { PipelineError, createRuleTransform, listPlaceholderValues, parsePipeline } from '@tripline/rule-tools'
import type { RulePipeline } from '@tripline/rule-tools'

/**
 * Makes what rewrites rules of the texts of pipelines, in their order; undefined without any.
 *
 * @throws AppError INVALID_PARAMETER for a text that is no pipeline, with line and column.
 */
export function createRewriting(texts: readonly string[], nameOf = (index: number) => `pipelines[${index}]`): RuleRewriting | undefined {
  if (texts.length === 0) return undefined
  // The order is decided: it is not that of the priorities which the texts state.
  const pipelines = texts.map((text, priority) => ({ ...readPipeline(text, nameOf(priority)), priority }))
  return {
    texts, placeholders: listPlaceholderValues(pipelines), createTransform: (budget) => createRuleTransform(pipelines, { budget }),
  }
}

/** Reads the text of a pipeline. @throws AppError INVALID_PARAMETER with line and column. */
export function readPipeline(text: string, parameter: string): RulePipeline {
  try {
    return parsePipeline(text)
  } catch (error) {
    if (!(error instanceof PipelineError)) throw error
    throw new AppError('INVALID_PARAMETER', `'${parameter}': ${error.message}`, { parameter, ...error.position })
  }
}
