/** Limits of outbound requests, each with its unit and the reason for it. */
export const limits = {
  egress: {
    /** Characters of a tenant's outbound URL. */
    urlLengthMax: 2_048,
    /** Bytes of the headers of a response. */
    headBytesMax: 16_384,
    /** Resolved addresses of a host that are checked and tried. */
    addressesMax: 16,
    /** Milliseconds to resolve the host of a broker. */
    resolveMs: 5_000,
  },
} as const
