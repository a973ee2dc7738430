import { Suspense, lazy } from 'react'
import type { ComponentType, ReactNode } from 'react'
import { ApiError, getErrorText } from '../api/api-error.ts'
import { t } from '../i18n/translate.ts'
import { Button, IconButton } from './button.tsx'
import { copyText } from './copy-text.ts'
import { Copy, HighIcon } from './icons.tsx'
import styles from './state-message.module.css'

/** Whom to ask is no part of the first page; where it does not arrive, the sentence before it stands alone. */
const Holders = lazy<ComponentType<{ readonly permission: string }>>(async () => {
  try {
    return { default: (await import('./loading/permission-holders.tsx')).PermissionHolders }
  } catch {
    return { default: () => null }
  }
})

/** What stands in the place of a list or a part of a page: a sentence, and what to do. */
export function StateMessage({ title, children }: { readonly title: string; readonly children?: ReactNode }): ReactNode {
  return (
    <div className={styles['message']}>
      <p className={styles['title']}>{title}</p>
      {children}
    </div>
  )
}

/** What failed, in one sentence, with whom to ask, the request's id for the operator and a way to try again. */
export function ErrorMessage({ error, what, onRetry, isBrief = false }: {
  readonly error: unknown
  /** What failed, where a page has several parts. */
  readonly what?: string | undefined
  readonly onRetry?: () => void
  /** Whether it stands in the place of a chart: in one line, and as high. */
  readonly isBrief?: boolean
}): ReactNode {
  const { requestId } = error instanceof ApiError ? error : {}
  const permission = findPermission(error)
  return (
    <div className={styles['message']} role="alert" data-brief={isBrief || undefined}>
      {/* A list that failed must not look like one that is empty. */}
      <HighIcon size={18} aria-hidden className={styles['icon']} />
      <p className={styles['title']}>
        {describe(error, what)}
        {permission !== undefined && (
          <Suspense fallback={null}>
            <Holders permission={permission} />
          </Suspense>
        )}
      </p>
      <div className={styles['row']}>
        {onRetry !== undefined && <Button onClick={onRetry}>{t('state.retry')}</Button>}
        {requestId !== undefined && (
          <span className={styles['request']}>
            <code className={styles['id']}>{t('state.requestId', { id: requestId })}</code>
            <IconButton icon={Copy} label={t('state.copyId')} onClick={() => void copyText(requestId)} />
          </span>
        )}
      </div>
    </div>
  )
}

function describe(error: unknown, what: string | undefined): string {
  if (error instanceof ApiError && error.code === 'NETWORK') return t('state.network')
  const permission = findPermission(error)
  if (permission !== undefined) return t('state.forbidden', { permission })
  const problem = getErrorText(error)
  return what === undefined ? t('state.failed', { problem }) : t('state.failedPart', { what, problem })
}

function findPermission(error: unknown): string | undefined {
  const permission = error instanceof ApiError ? error.details['permission'] : undefined
  return typeof permission === 'string' ? permission : undefined
}
