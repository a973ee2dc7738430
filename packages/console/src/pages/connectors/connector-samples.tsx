import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { printNumber, t } from '../../i18n/translate.ts'
import { printTime } from '../../lib/format-time.ts'
import { toVisibleText } from '../../lib/visible-text.ts'
import { LongValue } from '../../ui/long-value.tsx'
import { PanelSection } from '../../ui/side-panel.tsx'
import { ErrorMessage } from '../../ui/state-message.tsx'
import styles from './connector-panel.module.css'
import { useConnectorSamples } from './connector-queries.ts'

/** The newest events of a connector, each as it arrived beside what rules see of it. */
export function ConnectorSamples({ id }: { readonly id: string }): ReactNode {
  const { data, error, refetch } = useConnectorSamples(id)
  return (
    <PanelSection title={t('connectors.section.samples')}>
      {error !== null && <ErrorMessage error={error} onRetry={() => void refetch()} />}
      {data?.samples.length === 0 && (
        <p className={styles['text']}>
          {data.complete ? t('connectors.samples.none') : t('connectors.samples.rare', { shown: printNumber(data.events_searched) })}
        </p>
      )}
      {data?.samples.map(({ id: eventId, timestamp, message, raw, fields }, index) => (
        <details key={eventId} open={index === 0} className={styles['event']}>
          <summary>
            <time dateTime={timestamp}>{printTime(timestamp)}</time>{' '}
            <span className={styles['text']}>{toVisibleText(message.slice(0, 120))}</span>
          </summary>
          <div className={styles['both']}>
            <pre className={styles['sample']} tabIndex={0} aria-label={t('connectors.samples.raw')}><LongValue value={raw} /></pre>
            <pre className={styles['sample']} tabIndex={0} aria-label={t('connectors.samples.seen')}>
              <LongValue value={JSON.stringify(fields, undefined, 2)} />
            </pre>
          </div>
          <Link to="/search" search={{ event: eventId } as never} className={styles['link']}>{t('connectors.samples.open')}</Link>
        </details>
      ))}
    </PanelSection>
  )
}
