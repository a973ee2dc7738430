/** Limits of the index of failures; each states its unit and its reason. */
export const limits = {
  failures: {
    /** Newest failures that are kept of a tenant, and of all together: each holds about 2 KiB. */
    tenantMax: 500,
    allMax: 20_000,
    /** Messages of the topic that are read at once. */
    readAtOnce: 256,
    /** Bytes of a record that are shown: the event is recognised by them. */
    excerptBytesMax: 1_024,
    /** Characters of an id: 132 bits of a hash. */
    idLength: 22,
  },
} as const
