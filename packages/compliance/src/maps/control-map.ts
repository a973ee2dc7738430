import type { Thresholds } from '../signals/define-signal.ts'

/** A signal that a control needs, with thresholds of its own where it states any. */
export type SignalNeed = { readonly signal: string; readonly thresholds?: Thresholds }

/** What a control needs: every signal, or one of them. */
export type ControlNeed = { readonly of: 'all' | 'any'; readonly signals: readonly SignalNeed[] }

/** The assessable controls of each framework. */
export type ControlMaps = { readonly [token: string]: { readonly [control: string]: ControlNeed } }
