import { useInfiniteQuery } from '@tanstack/react-query'
import type { FailureListBody, FailureRepeatResultBody } from '@tripline/contract/console/failures'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { getErrorText } from '../../api/api-error.ts'
import { callApi } from '../../api/client.ts'
import { queryClient } from '../../api/query-client.ts'
import { useMay } from '../../api/use-may.ts'
import { printNumber, t } from '../../i18n/translate.ts'
import { printTime } from '../../lib/format-time.ts'
import { toVisibleText } from '../../lib/visible-text.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorMessage } from '../../ui/state-message.tsx'
import { showToast } from '../../ui/toast-store.ts'
import styles from './failures.module.css'
import type { StageName } from './stages.tsx'

type Failure = FailureListBody['failures'][number]

const pageSize = '20'
/** How often failures are read again while the page is visible. */
const everyMs = 15_000

/** What the API calls the stages whose records may fail. */
const failingStages: { readonly [name in StageName]?: Failure['stage'] } = { normalization: 'deduplicate', detection: 'detect' }

/** The records that a stage, or any, could not handle, which can be sent again once what they failed for is mended. */
export function Failures({ stage }: { readonly stage: StageName | undefined }): ReactNode {
  const mayRepeat = useMay('edit_connectors')
  const failing = stage === undefined ? undefined : failingStages[stage]
  const hasOwn = stage === undefined || failing !== undefined
  const [isBusy, setIsBusy] = useState(false)
  const { data, error, refetch, hasNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ['pipeline', 'failures', failing],
    queryFn: ({ pageParam, signal }) =>
      callApi<FailureListBody>('/v1/pipeline/failures', { query: { stage: failing, limit: pageSize, cursor: pageParam }, signal }),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor: cursor }) => cursor,
    refetchInterval: everyMs,
    enabled: hasOwn,
  })
  if (error !== null) return <ErrorMessage error={error} what={t('pipeline.failures')} onRetry={() => void refetch()} />
  const failures = data?.pages.flatMap((page) => page.failures) ?? []
  const waiting = failures.filter(({ repeatable, repeated }) => repeatable && !repeated)
  if (!hasOwn || failures.length === 0) return null
  const repeat = async (chosen: readonly Failure[]): Promise<void> => {
    setIsBusy(true)
    try {
      await sendAgain(chosen.map(({ id }) => id))
    } finally {
      setIsBusy(false)
    }
  }
  return (
    <section className={styles['failures']} tabIndex={0} aria-label={t('pipeline.failures')}>
      <div className={styles['head']}>
        <h2 className={styles['title']}>{t('pipeline.failures')}</h2>
        <span className={styles['count']}>{printNumber(data?.pages[0]?.total ?? failures.length)}</span>
        {mayRepeat && waiting.length > 1 && (
          <Button disabled={isBusy} onClick={() => void repeat(waiting)}>
            {t('pipeline.failures.sendAll', { count: waiting.length })}
          </Button>
        )}
      </div>
      <table className={styles['table']}>
        <thead>
          <tr>
            <th>{t('pipeline.failures.received')}</th>
            <th>{t('pipeline.failures.stage')}</th>
            <th>{t('pipeline.failures.problem')}</th>
            <th>{t('pipeline.failures.record')}</th>
            {mayRepeat && <th>{t('pipeline.failures.action')}</th>}
          </tr>
        </thead>
        <tbody>
          {failures.map((failure) => (
            <tr key={failure.id}>
              <td>{failure.received_at === null ? '' : printTime(failure.received_at)}</td>
              <td>{t(`pipeline.failures.stage.${failure.stage}`)}</td>
              <td className={styles['problem']}>{toVisibleText(failure.message)}</td>
              <td>
                <code className={styles['record']} title={toVisibleText(failure.excerpt)}>{toVisibleText(failure.excerpt)}</code>
              </td>
              {mayRepeat && <td>{printAction(failure)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
      {hasNextPage && (
        <Button kind="ghost" onClick={() => void fetchNextPage()}>
          {t('pipeline.failures.more')}
        </Button>
      )}
    </section>
  )

  function printAction(failure: Failure): ReactNode {
    if (failure.repeated) return t('pipeline.failures.sent')
    if (!failure.repeatable) return <span title={t('pipeline.failures.lostNote')}>{t('pipeline.failures.lost')}</span>
    return (
      <Button kind="ghost" disabled={isBusy} onClick={() => void repeat([failure])}>
        {t('pipeline.failures.send')}
      </Button>
    )
  }
}

/** Sends records through the pipeline again, and says what came of it. */
async function sendAgain(ids: readonly string[]): Promise<void> {
  try {
    const request = { method: 'POST', body: { ids } } as const
    const { sent, failed } = await callApi<FailureRepeatResultBody>('/v1/pipeline/failures/reprocess', request)
    showToast({ kind: 'notice', text: t('pipeline.failures.done', { count: sent }) })
    const [first] = failed
    if (first === undefined) return
    showToast({ kind: 'error', text: t('pipeline.failures.refused', { count: failed.length, problem: first.message }) })
  } catch (error) {
    showToast({ kind: 'error', text: getErrorText(error) })
  } finally {
    await queryClient.invalidateQueries({ queryKey: ['pipeline'] })
  }
}
