import type { ReactNode } from 'react'
import { ApiError, getErrorText } from '../api/api-error.ts'
import { t } from '../i18n/translate.ts'
import { Button } from './button.tsx'
import { HighIcon } from './icons.tsx'
import styles from './state-message.module.css'

/** What stands in the place of a list or a part of a page: a sentence, and what to do. */
export function StateMessage({ title, children }: { readonly title: string; readonly children?: ReactNode }): ReactNode {
  return (
    <div className={styles['message']}>
      <p className={styles['title']}>{title}</p>
      {children}
    </div>
  )
}

/** What failed, in one sentence, with the request's id for the operator and a way to try again. */
export function ErrorMessage({ error, onRetry, isBrief = false }: {
  readonly error: unknown
  readonly onRetry?: () => void
  /** Whether it stands in the place of a chart: in one line, and as high. */
  readonly isBrief?: boolean
}): ReactNode {
  const { requestId } = error instanceof ApiError ? error : {}
  return (
    <div className={styles['message']} role="alert" data-brief={isBrief || undefined}>
      {/* A list that failed must not look like one that is empty. */}
      <HighIcon size={18} aria-hidden className={styles['icon']} />
      <p className={styles['title']}>{describe(error)}</p>
      <div className={styles['row']}>
        {onRetry !== undefined && <Button onClick={onRetry}>{t('state.retry')}</Button>}
        {requestId !== undefined && <code className={styles['id']}>{t('state.requestId', { id: requestId })}</code>}
      </div>
    </div>
  )
}

function describe(error: unknown): string {
  if (error instanceof ApiError && error.code === 'NETWORK') return t('state.network')
  const permission = error instanceof ApiError ? error.details['permission'] : undefined
  if (typeof permission === 'string') return t('state.forbidden', { permission })
  return t('state.failed', { problem: getErrorText(error) })
}
