import { checkInstallationKeys } from '@tripline/state/check-installation-keys'
import type { Runtime } from '@tripline/common/runtime'
import type { Principal } from '@tripline/model/access/principal'
import type { TenantId } from '@tripline/model/tenant'
import { openDataDir, getStateFile } from '@tripline/state/data-dir'
import { openInstallationKeys, readInstallationKeys } from '@tripline/state/installation-keys'
import type { InstallationKeys } from '@tripline/state/installation-keys'
import { openState } from '@tripline/state/open-state'
import type { StateOptions } from '@tripline/state/open-state'
import { openAuth } from './access/open-auth.ts'
import type { AuthService } from './access/open-auth.ts'
import { systemPrincipal } from './areas/shared/admin-deps.ts'
import type { AdminDeps } from './areas/shared/admin-deps.ts'

/** A data directory opened by an admin command, whether or not a server runs on it. */
export type AdminDataDir = AdminDeps & {
  readonly identity: AuthService
  readonly dataDir: string
  readonly close: () => Promise<void>
}

type AdminDataDirOptions = {
  readonly dataDir: string
  /** The `iss` claim of access tokens; a server uses its public URL. */
  readonly issuerName: string
  /** `change` creates and migrates, `read` only reads, `inspect` opens a state of any version. */
  readonly use?: NonNullable<StateOptions['use']>
}

/**
 * Opens the state and keys of a data directory. With `change` it creates missing files and migrates the state; otherwise it
 * writes nothing. A server may run on the directory: both use the same database, and the server notices revoked access
 * within five seconds.
 *
 * @throws the error of the file system or database if they cannot be used.
 */
export async function openAdminDataDir(
  { dataDir, issuerName, use = 'change' }: AdminDataDirOptions, io: Pick<Runtime, 'now' | 'elapsedMs' | 'randomBytes'>,
): Promise<AdminDataDir> {
  if (use === 'change') {
    await checkInstallationKeys(dataDir)
    await openDataDir(dataDir)
  }
  const keys = use === 'change' ? await openInstallationKeys(dataDir, io) : await readExistingKeys(dataDir)
  const state = await openState({ path: getStateFile(dataDir), auditKey: keys.audit, use })
  const identity = await openAuth({ stores: state, keys, issuerName, externalIssuer: undefined, io })
  return { state, identity, dataDir, clock: io, randomBytes: io.randomBytes, close: () => state.close() }
}

async function readExistingKeys(dataDir: string): Promise<InstallationKeys> {
  const keys = await readInstallationKeys(dataDir)
  if (keys === undefined) {
    throw new Error(`'${dataDir}' has no keys.json; restore it from a backup, the state cannot be verified without it`)
  }
  return keys
}

/** The principal of admin commands: access to the data directory implies all permissions. The audit trail names it. */
export function commandLinePrincipal(tenant: TenantId): Principal {
  return systemPrincipal(tenant, 'command line')
}
