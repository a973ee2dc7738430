import { omitUndefined } from '@tripline/common/omit-undefined'
import { indicatorRowSchema } from '@tripline/contract/console/enrichment/indicator'
import type { IndicatorChange } from '@tripline/contract/console/enrichment/indicator'
import { normalizeIndicator } from '@tripline/model/enrichment/indicator'
import type { IndicatorFacts } from '@tripline/model/enrichment/indicator'
import { invalidBody, normalizeValue } from './normalize-value.ts'
import type { RowReader } from './open-import-file.ts'

/** Converts an indicator change to its facts. @throws AppError INVALID_BODY for a validity period that ends before it begins. */
export function parseIndicatorFacts(change: IndicatorChange): Partial<Omit<IndicatorFacts, 'type' | 'value' | 'source'>> {
  const { confidence, reputation_score, description, valid_from, valid_until } = change
  if (valid_from !== undefined && valid_until !== undefined && valid_until !== null && valid_until <= valid_from) {
    throw invalidBody("valid_until: must be after 'valid_from'")
  }
  const facts = omitUndefined({ confidence, reputationScore: reputation_score, description, validFrom: valid_from })
  return valid_until === undefined ? facts : { ...facts, validUntil: valid_until ?? undefined }
}

/** Indicators as rows of an imported file, identified by type, value and source. */
export const indicatorRows: RowReader<
  Pick<IndicatorFacts, 'type' | 'value' | 'source'> & Partial<IndicatorFacts>,
  typeof indicatorRowSchema
> = {
  columns: {
    type: 'word', value: 'text', source: 'text', confidence: 'number', reputation_score: 'number', description: 'text',
    valid_from: 'text', valid_until: 'text',
  },
  schema: indicatorRowSchema,
  parseFacts: ({ type, value, source, ...change }) => ({
    ...parseIndicatorFacts(change),
    type,
    value: normalizeValue('value', value, (text) => normalizeIndicator(type, text), `of the type ${type}`),
    source: source.trim(),
  }),
}
