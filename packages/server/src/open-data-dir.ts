import { systemPrincipal } from './app/admin-app.ts'
import type { AdminApp } from './app/admin-app.ts'
import { openAuth } from './app/open-auth.ts'
import type { AuthService } from './app/open-auth.ts'
import type { Principal } from './domain/principal.ts'
import type { TenantId } from './domain/tenant.ts'
import type { Runtime } from './runtime.ts'
import { openDataDir, getStateFile } from './store/data-dir.ts'
import { openInstallationKeys, readInstallationKeys } from './store/installation-keys.ts'
import type { InstallationKeys } from './store/installation-keys.ts'
import { openState } from './store/open-state.ts'
import type { StateOptions } from './store/open-state.ts'

/** A data directory as commands work on it, with a server on it or without. */
export type AdminDataDir = AdminApp & {
  readonly identity: AuthService
  readonly close: () => Promise<void>
}

export type AdminDataDirOptions = {
  readonly dataDir: string
  /** What tokens of the installation have as `iss`; a server says it by its public URL. */
  readonly issuerName: string
  /** What is done with it: to change it, to read it, or to inspect a state of whatever version. */
  readonly use?: NonNullable<StateOptions['use']>
}

/**
 * Opens the state and the keys of a data directory. To change them, makes them where they are not there yet and brings them
 * to the present version; else writes nothing. A server may run on it: both write to the same database, and the server
 * notices within five seconds who is let in no more.
 *
 * @throws the file system's or the database's error where they cannot be used.
 */
export async function openAdminDataDir(
  { dataDir, issuerName, use = 'change' }: AdminDataDirOptions, io: Pick<Runtime, 'now' | 'elapsedMs' | 'randomBytes'>,
): Promise<AdminDataDir> {
  if (use === 'change') await openDataDir(dataDir)
  const keys = use === 'change' ? await openInstallationKeys(dataDir, io) : await readExistingKeys(dataDir)
  const state = await openState({ path: getStateFile(dataDir), auditKey: keys.audit, use })
  const identity = await openAuth({ stores: state, keys, issuerName, externalIssuer: undefined, io })
  return { state, identity, clock: io, randomBytes: io.randomBytes, close: () => state.close() }
}

async function readExistingKeys(dataDir: string): Promise<InstallationKeys> {
  const keys = await readInstallationKeys(dataDir)
  if (keys === undefined) {
    throw new Error(`'${dataDir}' has no keys.json; restore it from a backup, the state cannot be verified without it`)
  }
  return keys
}

/** Whoever has the data directory may do everything in it; trails tell that it was done there. */
export function commandLinePrincipal(tenant: TenantId): Principal {
  return systemPrincipal(tenant, 'command line')
}
