import { getErrorMessage } from '@tripline/common/error-message'
import type { Log } from '@tripline/common/log'
import type { ScheduledJob } from '@tripline/state/ports/job-store'
import { isJsonObject } from '@tripline/common/json'
import type { BackupConfig } from '../config/backup-settings.ts'
import { configurationError } from '../runtime/configuration-error.ts'
import { runInThread } from '../runtime/run-in-thread.ts'
import { BackupError } from './blob-store.ts'
import { limits } from './limits.ts'
import { openRepository } from './open-repository.ts'
import type { BackupTask, RepositoryPlace } from './open-repository.ts'

/**
 * The job that backs the data directory up, in a thread of its own; none if that is not configured. When it last succeeded is a
 * metric, as of every job.
 *
 * @throws ExitError (78) for a place or a secret that cannot be used.
 */
export async function createBackupJobs(config: BackupConfig & { readonly dataDir: string }, log: Log): Promise<readonly ScheduledJob[]> {
  const { backupTo, backupHours, backupKeep: keep, dataDir } = config
  if (backupTo === '') return []
  const place: RepositoryPlace = {
    repository: backupTo, passphraseFile: config.backupPassphraseFile, ageIdentityFile: config.backupAgeIdentityFile,
    s3Endpoint: config.backupS3Endpoint, s3Region: config.backupS3Region, s3CredentialsFile: config.backupS3CredentialsFile,
  }
  await checkPlace(place, log)
  return [{
    name: 'backup', everyMs: backupHours * 3_600_000, afterStartMs: limits.backup.firstMs,
    failure: 'the data directory could not be backed up',
    run: async (signal) => {
      const task: BackupTask = { place, dataDir, keep }
      const report = toFields(await runInThread(new URL('./backup-worker.ts', import.meta.url), task, signal))
      if (report !== undefined) log.info('the data directory was backed up', report)
    },
  }]
}

/** Opens the repository once: a wrong passphrase ends the start, while a store that cannot be reached may come back. */
async function checkPlace(place: RepositoryPlace, log: Log): Promise<void> {
  try {
    await openRepository(place, { creates: true })
  } catch (error) {
    if (error instanceof BackupError && error.cause === undefined) {
      throw configurationError(`--backup-to cannot be used: ${error.message}`, { cause: error })
    }
    log.warn('the place of backups cannot be used now; the job tries again', { error: getErrorMessage(error) })
  }
}

function toFields(report: unknown): { readonly [name: string]: string | number } | undefined {
  if (!isJsonObject(report)) return undefined
  return Object.fromEntries(Object.entries(report).flatMap(([name, value]) =>
    (typeof value === 'string' || typeof value === 'number' ? [[name, value]] : [])))
}
