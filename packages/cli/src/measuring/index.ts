// The exports of `tripline/measuring`: how `tripline bench` measures, for the suites of the workspace that measure more.
export { median, summarizeRounds } from './bench-report.ts'
export { compareMatches, timeRound, warmUp } from './benchmark-rounds.ts'
export type { Benchmark } from './benchmark-rounds.ts'
export { createSample, readSample } from './event-sample.ts'
export type { EventSample } from './event-sample.ts'
export { measureCompile } from './measure-compile.ts'
export { createHeapMeter, getExactThreadCpuMs, getThreadCpuMs } from './process-metrics.ts'
export { synthesizeRules } from './synthesize-rules.ts'
