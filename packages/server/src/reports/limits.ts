const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

/** Limits of reports, each with its unit and the reason for it. */
export const limits = {
  reports: {
    /** Milliseconds in which a PDF must be printed: 100 pages take 2 s on a quiet machine. */
    printMs: minuteMs,
    /** Megabytes of the heap of the thread that prints. */
    heapMbMax: 128,
    /** Reports of a tenant that wait to be printed or run at once; more are refused. */
    waitingMax: 4,
    /** Reports that a tenant keeps, and milliseconds that they are kept: files of 100 KB to 1 MB each. */
    keptMax: 200,
    keptMs: 400 * dayMs,
    /** Reports that are removed at once. */
    removedMax: 100,
    /** Milliseconds of the range without parameters, of that of a weekly report, and of the longest. */
    rangeMs: 30 * dayMs,
    weekMs: 7 * dayMs,
    rangeMsMax: 400 * dayMs,
    /** Newest alerts that rules, hosts and users are counted of; those with most that are listed; rows of other tables. */
    alertsCountedMax: 20_000,
    topMax: 5,
    rowsMax: 100,
    /** Entries that lists count exactly; a report prints more as `10,000+`. */
    countedExactlyMax: 10_000,
    /** Milliseconds of a pass over all assets. */
    scanMs: 60_000,
    /** Milliseconds between looks for reports that a killed process left, and until the first one after the start. */
    checkMs: 10 * minuteMs,
    firstMs: 10_000,
    /** Milliseconds between looks for schedules that are due: their times are whole minutes. */
    scheduleCheckMs: minuteMs,
    /** Schedules of a tenant: each run prints a report, and all of them may be due at once. */
    schedulesMax: 20,
    /** Next runs of a schedule that are listed. */
    shownRuns: 5,
    /** Characters of the error of a report. */
    errorLengthMax: 1_000,
  },
} as const
