import { readFile } from 'node:fs/promises'
import { limits } from '../limits.ts'
import { configurationError } from '../runtime/configuration-error.ts'

/** How many connections the listener may hold, and a warning if those are fewer than configured. */
type ConnectionPlan = { readonly connectionsMax: number; readonly warning: string | undefined }

/** Reads the maximum of open file descriptors of the process; undefined without one, and where the system does not tell. */
export async function readDescriptorLimit(path = '/proc/self/limits'): Promise<number | undefined> {
  try {
    const soft = /^Max open files\s+(\d+)/m.exec(await readFile(path, 'utf8'))?.[1]
    return soft === undefined ? undefined : Number(soft)
  } catch (error) {
    // Linux alone has this file.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

/**
 * Plans the connections within the file descriptors of the process: those that storage and outbound requests need are kept
 * back, so that no number of connections takes them.
 *
 * @throws ExitError 78 if too few are left.
 */
export function planConnections(wantedMax: number, descriptorsMax: number | undefined): ConnectionPlan {
  const { descriptorsReserved, availableMin } = limits.connections
  const available = descriptorsMax === undefined ? wantedMax : descriptorsMax - descriptorsReserved
  if (available >= wantedMax) return { connectionsMax: wantedMax, warning: undefined }
  const state = `the limit of open files is ${descriptorsMax}`
  const remedy = `raise it to ${wantedMax + descriptorsReserved} with 'ulimit -n', or LimitNOFILE= of the systemd unit`
  if (available < availableMin) {
    throw configurationError(`${state}, and the server needs at least ${descriptorsReserved + availableMin}; ${remedy}`)
  }
  const warning = `${state}, so at most ${available} of the configured ${wantedMax} connections are accepted; ${remedy}`
  return { connectionsMax: available, warning }
}
