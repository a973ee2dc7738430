import type { MeasureWork } from '../metrics/instruments.ts'

/** What the pipeline says of its work. */
export type Measure = Pick<MeasureWork, 'normalized' | 'evaluated' | 'alerted'>

/** For a pipeline that nobody measures. */
export const unmeasured: Measure = { normalized: () => {}, evaluated: () => {}, alerted: () => {} }
