import { ExitError, exitCodes } from '@tripline/common/exit-error'
import type { RuleTransform } from '@tripline/engine'
import { PipelineError, createRuleTransform, parsePipeline } from '@tripline/rule-tools'
import type { RulePipeline } from '@tripline/rule-tools'
import { readOptionFile } from '../input/read-text-file.ts'

/**
 * Reads processing pipelines; undefined without any.
 *
 * @throws ExitError (66) when a file cannot be read, (65) when it is no pipeline.
 */
export function readPipelines(paths: readonly string[], cwd: string): RuleTransform | undefined {
  return paths.length === 0 ? undefined : createRuleTransform(paths.map((path) => readPipeline(path, cwd)))
}

function readPipeline(path: string, cwd: string): RulePipeline {
  const text = readOptionFile(path, { cwd, option: '--pipeline' })
  try {
    return parsePipeline(text)
  } catch (error) {
    if (!(error instanceof PipelineError)) throw error
    throw new ExitError(exitCodes.noData, `--pipeline '${path}': ${error.message}`, { cause: error })
  }
}
