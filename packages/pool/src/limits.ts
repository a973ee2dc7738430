/** Every bound of a pool, with its unit and its reason. What is over one is refused by name. */
export const limits = {
  /** Workers of one pool: each holds the rules for itself and what it learns of values, some 170 MB for SigmaHQ's. */
  jobsMax: 64,
  /** Bytes of one piece: a pool holds as many pieces as may be outstanding, and parsed they take several times that. */
  pieceBytesMax: 67_108_864,
  /** Pieces that one worker holds at once: one in work, and the next, so that it does not wait for the main thread. */
  piecesPerWorkerMax: 2,
  /** Pieces outstanding for each worker of a pool: while one takes long, the others go on with those behind it. */
  outstandingPerWorkerMax: 4,
  /** Bytes of memory that is kept for another piece: an idle pool should not hold what a few large pieces took. */
  spareBytesMax: 2_097_152,
} as const
