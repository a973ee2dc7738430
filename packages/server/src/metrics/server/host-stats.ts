/** What the process and its host report, read on demand; undefined where the system does not tell. */
export type HostStats = {
  readonly version: string
  readonly nodeVersion: string
  readonly cpuSeconds: number
  readonly residentBytes: number
  readonly heapBytes: number
  /** Seconds since the epoch. */
  readonly startedAtSeconds: number
  readonly openDescriptors: number | undefined
  readonly descriptorsMax: number | undefined
  /** Of the file system that holds the data directory. */
  readonly disk: { readonly freeBytes: number; readonly sizeBytes: number } | undefined
}

export type ReadHostStats = () => Promise<HostStats>
