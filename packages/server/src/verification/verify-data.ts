import { checkDatabase, isCorruptionError } from '@tripline/state/check-database'
import type { DatabaseReport } from '@tripline/state/check-database'
import { getStateFile } from '@tripline/state/data-dir'
import { readInstallationKeys } from '@tripline/state/installation-keys'
import { openState } from '@tripline/state/open-state'
import { verifyBus } from '@tripline/storage/bus/local/verify-bus'
import type { BusVerification } from '@tripline/storage/bus/local/verify-bus'
import { nodeFileSystem } from '@tripline/storage/disk/file-system'
import type { EventStoreVerification } from '@tripline/storage/events/event-store'
import { verifyStore } from '@tripline/storage/events/verify-store'
import type { VerifyOptions } from '@tripline/storage/events/verify-store'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { verifyTrails } from '../areas/audit/verify-trails.ts'
import type { TrailReport } from '../areas/audit/verify-trails.ts'

/** The result of verifying a data directory; parts that it does not contain are undefined. */
export type DataVerification = {
  readonly events: EventStoreVerification | undefined
  readonly bus: BusVerification | undefined
  readonly state: DatabaseReport | undefined
  readonly trails: readonly TrailReport[] | undefined
  readonly damagedCount: number
  /** Path below the data directory; the offset is in bytes, if known. */
  readonly firstDamage: DataCorruption | undefined
}

type DataCorruption = { readonly file: string; readonly offset: number | undefined; readonly problem: string }

/**
 * Reads and verifies all of a data directory without changing it: data that opening would repair or migrate is checked as it
 * is. A server may run on it: files are read as they grow, and the state database as one snapshot.
 *
 * @throws the file system's error if something cannot be read; NewerSchemaError for the state of a newer program.
 */
export async function verifyData(dataDir: string, options: VerifyOptions = {}): Promise<DataVerification> {
  const events = exists(dataDir, 'events') ? await verifyStore(nodeFileSystem(join(dataDir, 'events')), options) : undefined
  const bus = exists(dataDir, 'bus') ? await verifyBus(nodeFileSystem(join(dataDir, 'bus')), options) : undefined
  const state = exists(dataDir, 'state.db') ? checkDatabase(getStateFile(dataDir)) : undefined
  const audit = state === undefined ? undefined : await verifyAudit(dataDir)
  const damages: DataCorruption[] = [
    ...(bus?.corruptions ?? []).map((damage) => ({ ...damage, file: `bus/${damage.file}` })),
    ...(events?.firstCorruption === undefined ? [] : [{ ...events.firstCorruption, file: `events/${events.firstCorruption.file}` }]),
    ...(state?.problems ?? []).map((problem) => ({ ...problem, file: 'state.db' })),
    ...(audit?.damages ?? []),
  ]
  const uncounted = Math.max(0, (events?.corruptedCount ?? 0) - 1)
  return { events, bus, state, trails: audit?.trails, damagedCount: damages.length + uncounted, firstDamage: damages[0] }
}

type AuditVerification = { readonly trails: readonly TrailReport[] | undefined; readonly damages: readonly DataCorruption[] }

async function verifyAudit(dataDir: string): Promise<AuditVerification> {
  const keys = await readInstallationKeys(dataDir)
  if (keys === undefined) {
    const problem = 'the file is missing; audit trails cannot be verified without it'
    return { trails: undefined, damages: [{ file: 'keys.json', offset: undefined, problem }] }
  }
  try {
    const trails = await readTrails(dataDir, keys.audit)
    const damages = trails.flatMap(({ tenant, brokenAt, problem }) => {
      if (problem === undefined) return []
      return [{ file: 'state.db', offset: undefined, problem: `the audit trail of ${tenant} is broken at entry ${brokenAt}: ${problem}` }]
    })
    return { trails, damages }
  } catch (error) {
    if (!isCorruptionError(error)) throw error
    return { trails: undefined, damages: [{ file: 'state.db', offset: undefined, problem: error.message }] }
  }
}

async function readTrails(dataDir: string, auditKey: Uint8Array): Promise<readonly TrailReport[]> {
  const state = await openState({ path: getStateFile(dataDir), auditKey, use: 'inspect' })
  try {
    return await verifyTrails({ state }, { tenant: undefined, anchor: undefined })
  } finally {
    await state.close()
  }
}

function exists(dataDir: string, name: string): boolean {
  return statSync(join(dataDir, name), { throwIfNoEntry: false }) !== undefined
}
