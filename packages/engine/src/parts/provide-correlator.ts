import { Correlator } from '../correlation/correlator.ts'
import { provideCorrelator } from '../stream-state.ts'

// Engines of programs that import this module run correlations; see `sideEffects` in package.json.
provideCorrelator(Correlator)
