import { expect, test } from 'vitest'
import { printFigure } from './key-figures.tsx'

test.for([
  ['normalization_latency_p99', 0.016, '0.016'],
  ['normalization_latency_p99', 0, '–'],
  ['ingestion_rate', 0, '0'],
  ['queue_consumer_lag_total', 1_204, '1,204'],
] as const)('the figure %s of %d is shown as %s', ([id, value, shown]) => {
  expect(printFigure(id, value)).toBe(shown)
})
