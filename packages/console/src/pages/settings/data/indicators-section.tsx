import type { IndicatorBody } from '@tripline/contract/console/enrichment/indicator'
import { useMemo } from 'react'
import type { ReactNode } from 'react'
import { printNumber, t } from '../../../i18n/translate.ts'
import { toVisibleText } from '../../../lib/visible-text.ts'
import { Pill } from '../../../ui/badge.tsx'
import type { Tone } from '../../../ui/badge.tsx'
import { Time } from '../parts.tsx'
import { RecordsSection } from './records-section.tsx'
import type { RecordKind } from './records-section.tsx'

const tones: { readonly [status in IndicatorBody['status']]: Tone } = { upcoming: 'accent', valid: 'ok', expired: 'neutral' }

/** Indicators of compromise that events are compared with: from where they are, how long they hold, and how often they were met. */
export function IndicatorsSection(): ReactNode {
  const kind = useMemo<RecordKind<IndicatorBody>>(() => ({
    name: 'indicators',
    heads: [t('data.type'), t('data.value'), t('data.source'), t('settings.state'), t('data.confidence'), t('data.hits'), t('data.until')],
    nameOf: ({ value }) => value,
    example: 'type,value,source,confidence',
    cells: ({ type, value, source, status, confidence, hits, valid_until: until }) => [
      type,
      <code key="value">{toVisibleText(value)}</code>,
      toVisibleText(source),
      <Pill key="status" tone={tones[status]}>{t(`data.indicator.${status}`)}</Pill>,
      printNumber(confidence),
      printNumber(hits),
      until === null ? t('data.endless') : <Time key="until" at={until} />,
    ],
  }), [])
  return <RecordsSection kind={kind} />
}
