import { getErrorMessage } from '@tripline/common/error-message'
import { ExitError, exitCodes } from '@tripline/common/exit-error'
import { ForeignKeysError, checkInstallationKeys } from '@tripline/state/check-installation-keys'
import { configurationError } from '../runtime/configuration-error.ts'
import type { Config } from './settings.ts'

/**
 * Checks that the keys of a data directory are those of its state.
 *
 * @throws ExitError (78) if they are missing or of another one, before anything is written; (70) if they cannot be read.
 */
export async function checkKeys({ dataDir }: Pick<Config, 'dataDir'>): Promise<void> {
  await checkInstallationKeys(dataDir).catch((error: unknown) => {
    if (error instanceof ForeignKeysError) throw configurationError(error.message, { cause: error })
    throw new ExitError(exitCodes.storage, `the keys of the installation cannot be read: ${getErrorMessage(error)}`, { cause: error })
  })
}
