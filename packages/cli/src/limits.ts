/** Every bound of the command line, with its unit and its reason. What is over one is refused by name. */
export const limits = {
  /** Bytes of one input line. Audit events reach 1 MiB; a line is held whole, and takes 20 times that when parsed. */
  lineBytesMax: 4_194_304,
  /** Bytes of lines handed over at once, beside one that began before: enough to share, few enough to answer soon. */
  pieceBytesMax: 524_288,
  /** Bytes read from a file at once. */
  readBytesMax: 1_048_576,
  /** Malformed lines that are reported one by one; the rest are counted. */
  malformedShownMax: 20,
  /**
   * Bytes read of one rule file. UTF-8 takes at most three bytes for a UTF-16 unit, so whatever is cut here
   * is over the engine's own limit of 1 Mi characters, and the engine refuses it with a diagnostic.
   */
  ruleFileBytesMax: 4_194_304,
  /** Rule files of one run: thirty times SigmaHQ, and an early end for a `--rules /`. */
  ruleFilesMax: 100_000,
  /** Bytes of the events that `explain` reads: each event is explained once per rule, for people. */
  explainedBytesMax: 16_777_216,
  /** Bytes of a file of placeholder values: user names and hosts, a few thousand. */
  placeholderBytesMax: 4_194_304,
  /** Milliseconds between two drawings of the progress bar. */
  progressIntervalMs: 100,
} as const
