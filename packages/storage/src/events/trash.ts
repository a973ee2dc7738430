import type { FileSystem } from '../disk/file-system.ts'
import type { Segment } from './segment/segment.ts'
import { getTenantFolder, tenantsFolder } from './tenant-folder.ts'

/**
 * The folder that a retention run moves the segments of a tenant to: `trash/t-acme/1795392000000`. To restore a day, stop the
 * server, move its file to the folder of the tenant, and start the server.
 */
export function getTrashFolder(tenant: string, at: number): string {
  return `${getTenantTrash(tenant)}/${at}`
}

/** A tenant and its segments by day. */
type Trashable = { readonly name: string; readonly segments: Map<string, Segment> }

/** Moves the segments of days to the trash of a run. */
export async function moveToTrash(
  disk: FileSystem, { name, segments }: Trashable, { days, at }: { readonly days: readonly string[]; readonly at: number },
): Promise<void> {
  const folder = getTrashFolder(name, at)
  await disk.makeFolder(folder)
  for (const day of days) {
    const segment = segments.get(day)
    segments.delete(day)
    await segment?.moveTo(folder)
  }
}

const completeName = 'complete'

/** Records that a run has moved everything: a restart does not move again what was restored since. */
export async function completeTrash(disk: FileSystem, folder: string): Promise<void> {
  const file = await disk.open(`${folder}/${completeName}`, 'write')
  await file.close()
  await disk.syncFolder(folder)
}

export async function isTrashComplete(disk: FileSystem, folder: string): Promise<boolean> {
  return (await disk.list(folder)).includes(completeName)
}

/** The folders of the runs that moved segments of a tenant. */
export async function listTrashFolders(disk: FileSystem, tenant: string): Promise<readonly string[]> {
  return (await disk.list(getTenantTrash(tenant))).filter((run) => /^\d+$/.test(run)).map((run) => `${getTenantTrash(tenant)}/${run}`)
}

/** Deletes the segments that runs before an instant moved; returns how many. */
export async function purgeTrash(disk: FileSystem, tenant: string, before: number): Promise<number> {
  let count = 0
  for (const run of await disk.list(getTenantTrash(tenant))) {
    if (!/^\d+$/.test(run) || Number(run) >= before) continue
    const folder = `${getTenantTrash(tenant)}/${run}`
    const segments = (await disk.list(folder)).filter((name) => name.endsWith('.seg'))
    for (const name of segments) await disk.remove(`${folder}/${name}`)
    if (segments.length > 0) await disk.syncFolder(folder)
    count += segments.length
  }
  return count
}

function getTenantTrash(tenant: string): string {
  return `trash/${getTenantFolder(tenant).slice(tenantsFolder.length + 1)}`
}
