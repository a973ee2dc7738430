import type { SupportBundleBody } from '@tripline/contract/console/support-bundle'
import { formatTimestamp } from '../../http/format-timestamp.ts'
import type { HostStats } from '../../metrics/server/host-stats.ts'

/** The process and its disk in the words of the API; null where the host tells nothing. */
export function printProcess(host: HostStats | undefined): SupportBundleBody['process'] {
  if (host === undefined) return null
  const { version, nodeVersion, startedAtSeconds, cpuSeconds, residentBytes, heapBytes, openDescriptors, descriptorsMax, disk } = host
  return {
    version, node_version: nodeVersion, started_at: formatTimestamp(startedAtSeconds * 1_000), cpu_seconds: cpuSeconds,
    resident_bytes: residentBytes, heap_bytes: heapBytes, open_descriptors: openDescriptors ?? null,
    descriptors_max: descriptorsMax ?? null,
    disk: disk === undefined ? null : { free_bytes: disk.freeBytes, size_bytes: disk.sizeBytes },
  }
}
