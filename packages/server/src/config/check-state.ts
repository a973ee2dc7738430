import { getErrorMessage } from '@tripline/common/error-message'
import { ExitError, exitCodes } from '@tripline/common/exit-error'
import { isCorruptionError } from '@tripline/state/check-database'
import { checkStateVersion } from '@tripline/state/check-state-version'
import { getStateFile } from '@tripline/state/data-dir'
import { NewerSchemaError } from '@tripline/state/migrations/migrate'
import { configurationError } from '../runtime/configuration-error.ts'
import type { Config } from './settings.ts'

/**
 * Checks that this program can open the state of a data directory; writes nothing.
 *
 * @throws ExitError with which a start would end.
 */
export async function checkState({ dataDir }: Pick<Config, 'dataDir'>): Promise<void> {
  await checkStateVersion(dataDir).catch((error: unknown) => {
    throw createStateExit(error, dataDir)
  })
}

/** The end for a state that cannot be opened: a newer one needs another program, a corrupted one a backup. */
export function createStateExit(error: unknown, dataDir: string): ExitError {
  const sentence = `the state cannot be opened: ${getErrorMessage(error)}`
  if (error instanceof NewerSchemaError) return configurationError(sentence, { cause: error })
  const file = getStateFile(dataDir)
  const remedy = `${file} is corrupted. Run 'tripline verify --data-dir ${dataDir}' to see what is affected, and restore the file ` +
    `from a backup; without one, 'sqlite3 ${file} .recover' saves what can be read`
  return new ExitError(exitCodes.storage, isCorruptionError(error) ? `${sentence}; ${remedy}` : sentence, { cause: error })
}
