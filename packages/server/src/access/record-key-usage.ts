import { getErrorMessage } from '@tripline/common/error-message'
import type { Log } from '@tripline/common/log'
import type { Runtime } from '@tripline/common/runtime'
import type { ApiKey } from '@tripline/model/access/api-key'
import type { ApiKeyStore } from '@tripline/state/ports/state-store'
import { limits } from '../limits.ts'

/** Records that a key was used from an address. */
export type RecordKeyUsage = (key: ApiKey, address: string | undefined) => Promise<void>

/**
 * Creates a function that records uses of keys, each at most once a minute because a record is a synced write. A failed
 * write is only logged and refuses no request, so that reads still work on a full disk.
 */
export function createKeyUsageRecorder(
  { apiKeys, clock, log }: { readonly apiKeys: Pick<ApiKeyStore, 'noteUse'>; readonly clock: Pick<Runtime, 'now'>; readonly log: Log },
): RecordKeyUsage {
  return async ({ tenant, publicId, lastUsedAt }, address) => {
    const at = clock.now()
    if (lastUsedAt !== undefined && at - lastUsedAt < limits.admin.keyUseNotedMs) return
    try {
      await apiKeys.noteUse(tenant, publicId, { at, ip: address ?? '' })
    } catch (error) {
      log.warn('the use of an API key could not be recorded', { key: publicId, error: getErrorMessage(error) })
    }
  }
}
