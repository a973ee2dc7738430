import { listDays } from './day-partition.ts'
import { logFolder } from './event-log.ts'
import type { EventStoreSizes } from './event-store-sizes.ts'
import { Segment } from './segment/segment.ts'
import type { SegmentDeps } from './segment/segment.ts'
import { TenantEvents } from './tenant-events.ts'
import { getTenantFolder, parseTenantFolder, tenantsFolder } from './tenant-folder.ts'

/** Segments opened concurrently. */
const openedAtOnce = 16

/** Opens the segments of all tenants; reads only their indexes. */
export async function openSegments(room: SegmentDeps, sizes: EventStoreSizes): Promise<Map<string, TenantEvents>> {
  const { disk } = room
  await disk.makeFolder(logFolder)
  await disk.makeFolder(tenantsFolder)
  const tenants = new Map<string, TenantEvents>()
  for (const name of await disk.list(tenantsFolder)) {
    const tenantName = parseTenantFolder(name)
    if (tenantName === undefined) continue
    const tenant = new TenantEvents(tenantName, sizes)
    tenants.set(tenantName, tenant)
    const folder = getTenantFolder(tenantName)
    const days = listDays(await disk.list(folder))
    for (let from = 0; from < days.length; from += openedAtOnce) {
      const some = days.slice(from, from + openedAtOnce)
      const segments = await Promise.all(some.map((day) => Segment.open(folder, day, room)))
      for (const segment of segments) tenant.segments.set(segment.day, segment)
    }
    tenant.nextSequence = room.damage.getLastSequence(tenantName) + 1
    for (const { lastSequence } of tenant.segments.values()) {
      tenant.nextSequence = Math.max(tenant.nextSequence, lastSequence + 1)
    }
  }
  return tenants
}

/** Opens or creates the segment of a tenant and day. */
export async function openSegment(tenant: string, day: string, deps: SegmentDeps): Promise<Segment> {
  const folder = getTenantFolder(tenant)
  await deps.disk.makeFolder(folder)
  return await Segment.open(folder, day, deps)
}
