import type { Instruments } from '../../metrics/instruments.ts'

/** The instruments that the pipeline records on. */
export type PipelineInstruments = Pick<Instruments, 'deduplicated' | 'evaluated' | 'alerted'>

/** Instruments that record nothing. */
export const noInstruments: PipelineInstruments = { deduplicated: () => {}, evaluated: () => {}, alerted: () => {} }
