/** Limits of backups. */
export const limits = {
  backup: {
    /** Bytes of a chunk before compression: files are cut at its multiples, so what was appended to is stored again from there. */
    chunkBytesMax: 4_194_304,
    /** Attempts to freeze a data directory in which files come and go meanwhile. */
    freezeAttemptsMax: 5,
    /** Milliseconds that one request to an object store may take: a chunk over a slow line. */
    requestMs: 120_000,
    /** Characters of a passphrase: fewer can be tried out. */
    passphraseLengthMin: 12,
    /** The memory cost of deriving a key from a passphrase: scrypt with 128 MiB. */
    scryptCost: 131_072,
    /** Bytes a second that a scheduled backup reads, so that others have the disk and the processor. */
    bytesPerSecond: 50_000_000,
    /** Milliseconds after the start at which a scheduled backup may begin. */
    firstMs: 300_000,
  },
} as const
