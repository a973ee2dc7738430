/** Limits of erasures, each with its unit and the reason for it. */
export const limits = {
  erasure: {
    /** Milliseconds between looks at the queues in front of the store, and for which they may hold events from before. */
    queueCheckMs: 200,
    queueMs: 10 * 60_000,
    /** Milliseconds between looks for erasures that a killed process left, and until the first one after the start. */
    checkMs: 10 * 60_000,
    firstMs: 10_000,
    /** Characters of the error of an erasure. */
    errorLengthMax: 1_000,
  },
} as const
