/** The instant, the range of time that counts over a period are about, and what ends the reading. */
export type GatherTerms = { readonly at: number; readonly from: number; readonly to: number; readonly signal: AbortSignal }
