import type { Instruments } from '../metrics/instruments.ts'

/** What the pipeline says of its work. */
export type PipelineInstruments = Pick<Instruments, 'normalized' | 'evaluated' | 'alerted'>

/** For a pipeline that nobody measures. */
export const noInstruments: PipelineInstruments = { normalized: () => {}, evaluated: () => {}, alerted: () => {} }
