/** A metric family in the data model of Prometheus. */
export type MetricFamily = {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'summary' | 'histogram'
  readonly samples: readonly Sample[]
}

export type Sample = {
  /** Follows the family's name: `_sum` of a summary. */
  readonly suffix?: string
  readonly labels: { readonly [name: string]: string }
  readonly value: number
}
