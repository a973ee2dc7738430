/** The limits of a pool, each with its unit and reason. Errors name the limit. */
export const limits = {
  /** Workers of one pool: each has its own copy of the rules and its own caches, some 170 MB for SigmaHQ's rules. */
  jobsMax: 64,
  /** Bytes of one chunk: all pending chunks are in memory, and parsed events take several times their bytes. */
  chunkBytesMax: 67_108_864,
  /** Chunks sent to one worker at once: the current one, and the next, so that it does not wait for the main thread. */
  chunksPerWorkerMax: 2,
  /** Pending chunks for each worker of a pool: while one takes long, the other workers continue with later chunks. */
  pendingPerWorkerMax: 4,
  /** Bytes of the largest buffer that is reused: an idle pool should not hold the memory of a few large chunks. */
  spareBytesMax: 2_097_152,
} as const
