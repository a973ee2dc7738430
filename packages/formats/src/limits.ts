/** Every limit of a body of events, with its unit and reason. Input over a limit is refused by name before the work that it bounds. */
export const limits = {
  ingest: {
    /** Bytes of a body after decompression: bounds decompression bombs. */
    inflatedBytesMax: 67_108_864,
    /** Events of one request: 64 MiB of `{}` would be twenty million. */
    requestEventsMax: 100_000,
    /** Bytes of one event. */
    eventBytesMax: 1_048_576,
    /** Nesting depth of one event; audit events of cloud products stay below 20. */
    eventDepthMax: 64,
    /** Fields of one event, nested ones included. */
    eventFieldsMax: 10_000,
  },
} as const
