/** Limits of the index of failures; each states its unit and its reason. */
export const limits = {
  failures: {
    /** Newest failures that are kept of a tenant, and of all together: each holds about 2 KiB. */
    tenantMax: 500,
    allMax: 20_000,
    /**
     * Bytes of the newest messages that are read after a start: about half a second, where the whole topic may have a gibibyte.
     * A tenant whose records are older than those of others is not shown them.
     */
    newestBytes: 67_108_864,
    /** Messages of the topic that are read at once. */
    readAtOnce: 256,
    /** Bytes of a record that are shown: the event is recognised by them. */
    excerptBytesMax: 1_024,
    /** Characters of an id: 132 bits of a hash. */
    idLength: 22,
  },
} as const
