import { useMemo } from 'react'
import type { ReactNode } from 'react'
import { printNumber, t } from '../../i18n/translate.ts'
import { printTime } from '../../lib/format-time.ts'
import { LineChart } from '../../ui/charts/line-chart.tsx'
import { PanelSection } from '../../ui/side-panel.tsx'
import { ErrorMessage } from '../../ui/state-message.tsx'
import styles from './asset-panel.module.css'
import { useAssetRisks } from './exposure-queries.ts'
import { toRiskLine } from './to-risk-line.ts'

/** The risk score of an asset over the last 90 days; a sentence where it did not change. */
export function AssetRisks({ id }: { readonly id: string }): ReactNode {
  const { data, error, isError, refetch } = useAssetRisks(id)
  const line = useMemo(() => (data === undefined ? undefined : toRiskLine(data.body.risks, data)), [data])
  const risks = data?.body.risks ?? []
  const [only] = risks
  return (
    <PanelSection title={t('assets.section.risks')}>
      {isError && <ErrorMessage error={error} onRetry={() => void refetch()} />}
      {data !== undefined && only === undefined && <p className={styles['text']}>{t('assets.risks.none')}</p>}
      {risks.length === 1 && only !== undefined && (
        <p className={styles['text']}>{t('assets.risks.same', { score: printNumber(only.score), time: printTime(only.at) })}</p>
      )}
      {risks.length > 1 && line !== undefined && (
        <LineChart
          label={t('assets.fact.score')}
          times={line.times}
          lines={[{ label: t('assets.fact.score'), values: line.scores }]}
          format={printNumber}
        />
      )}
    </PanelSection>
  )
}
