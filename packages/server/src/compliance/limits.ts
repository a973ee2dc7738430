const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

/** Limits of compliance, each with its unit and the reason for it. */
export const limits = {
  /** Milliseconds between assessments that come by themselves, and between looks at what is due; the first after the start. */
  everyMs: dayMs,
  checkMs: 10 * minuteMs,
  firstMs: 10 * minuteMs,
  /** Milliseconds of the range that counts over a period are about, unless a request says otherwise, and at most. */
  rangeMs: 30 * dayMs,
  rangeMsMax: 400 * dayMs,
  /** Milliseconds in which alerts must be answered, by level; a tenant with other times attests to them. */
  acknowledgeMs: { critical: 60 * minuteMs, high: 240 * minuteMs },
  /** Milliseconds within which an incident was closed to count. */
  closedRangeMs: 90 * dayMs,
  /** Milliseconds within which a request of a person fell due, and within which a collector was heard, to count. */
  requestRangeMs: 365 * dayMs,
  heardRangeMs: dayMs,
  /** Milliseconds that results and jobs are kept, and how many are removed at once; the newest stay. */
  historyMs: 92 * dayMs,
  removedMax: 1_000,
  /** Milliseconds in which the state of a tenant must be read: some 10 s with a million alerts. */
  gatherMs: 5 * minuteMs,
  /** Changed controls in the result of a job, and characters of its error. */
  changesMax: 1_000,
  errorLengthMax: 1_000,
  /** Milliseconds that an attestation may hold. */
  attestationMsMax: 365 * dayMs,
  /** Rules that an answer about a control lists: a start for a reader, where thousands may watch it. */
  monitoringRulesMax: 50,
} as const
