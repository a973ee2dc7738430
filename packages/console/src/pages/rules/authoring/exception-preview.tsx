import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ExceptionPreviewBody } from '@tripline/contract/console/rules/exception-preview'
import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { callApi } from '../../../api/client.ts'
import { printNumber, t } from '../../../i18n/translate.ts'
import { ErrorMessage } from '../../../ui/state-message.tsx'
import { toRulePath } from '../rule-queries.ts'
import styles from './exceptions-pane.module.css'

/** How long the user must pause before the server is asked. */
const pauseMs = 400

/** What an exception would have hidden of the alerts of the last 30 days, and how many of these were confirmed. */
export function ExceptionPreview({ id, detection }: { readonly id: string; readonly detection: object }): ReactNode {
  const wanted = JSON.stringify(detection)
  const [asked, setAsked] = useState<string>()
  useEffect(() => {
    const timer = setTimeout(() => setAsked(wanted), pauseMs)
    return () => clearTimeout(timer)
  }, [wanted])
  const { data, error, refetch } = useQuery({
    queryKey: ['rules', 'exception-preview', id, asked],
    queryFn: ({ signal }) => {
      const body = { detection: JSON.parse(asked ?? '{}') as unknown }
      return callApi<ExceptionPreviewBody>(`${toRulePath(id)}/exceptions/preview`, { method: 'POST', body, signal })
    },
    enabled: asked !== undefined,
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
  })
  return (
    <div className={styles['preview']} aria-live="polite">
      {error !== null && <ErrorMessage error={error} onRetry={() => void refetch()} />}
      {error === null && data !== undefined && (
        <>
          <p>
            {t('rule.exception.hides', { count: data.hidden, total: printNumber(data.alerts), more: data.truncated ? '+' : '' })}
          </p>
          <p data-bad={data.by_verdict.true_positive > 0 || undefined} className={styles['confirmed']}>
            {t('rule.exception.confirmed', { count: data.by_verdict.true_positive })}
          </p>
          <p>{t('rule.exception.others', printOthers(data.by_verdict))}</p>
          <p>{t('rule.exception.leaves', { count: data.still_alerting })}</p>
          <p>{t('rule.exception.events', { count: data.events_hidden, total: printNumber(data.events) })}</p>
        </>
      )}
    </div>
  )
}

/** The hidden alerts that were not confirmed, by what people said of them. */
function printOthers(
  { false_positive: wrong, benign, unreviewed }: ExceptionPreviewBody['by_verdict'],
): { readonly [name: string]: string } {
  return { wrong: printNumber(wrong), benign: printNumber(benign), unreviewed: printNumber(unreviewed) }
}
