import type { Attestation, ControlResult } from '@tripline/compliance/assess'

/** Counts the evidence of a control's result, and finds the newest: what its signals read, or the attestation that it rests on. */
export function countEvidence(
  { signals, method }: Pick<ControlResult, 'method' | 'signals'>, attestation: Attestation | undefined,
): { readonly count: number; readonly lastAt: number | undefined } {
  const instants = signals.flatMap(({ evidence }) => evidence.map(({ at }) => at))
  if (method === 'manual' && attestation !== undefined) instants.push(attestation.at)
  return { count: instants.length, lastAt: instants.length === 0 ? undefined : Math.max(...instants) }
}
