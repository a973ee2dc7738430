import type { ReactNode } from 'react'
import { t } from '../../i18n/translate.ts'
import { printTime } from '../../lib/format-time.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { copyText } from '../../ui/copy-text.ts'
import { Copy } from '../../ui/icons.tsx'
import { Skeleton } from '../../ui/loading/skeleton.tsx'
import { ErrorMessage } from '../../ui/state-message.tsx'
import styles from './parts.module.css'

/** A part of the settings under its title. */
export function Section({ title, hint, children }: {
  readonly title: string
  readonly hint?: string
  readonly children: ReactNode
}): ReactNode {
  return (
    <section className={styles['section']} aria-label={title}>
      <h2 className={styles['title']}>{title}</h2>
      {hint !== undefined && <p className={styles['hint']}>{hint}</p>}
      {children}
    </section>
  )
}

/** A part of the settings that is not there yet: it is being loaded, or could not be. Its title stands where it will. */
export function PendingSection({ title, hint, error, onRetry }: {
  readonly title: string
  readonly hint?: string
  readonly error: unknown
  readonly onRetry: () => void
}): ReactNode {
  return (
    <Section title={title} {...(hint !== undefined && { hint })}>
      {error === null ? <Skeleton /> : <ErrorMessage error={error} onRetry={onRetry} />}
    </Section>
  )
}

/** A list as a plain table: it is short. */
export function PlainTable({ label, heads, children }: {
  readonly label: string
  readonly heads: readonly string[]
  readonly children: ReactNode
}): ReactNode {
  return (
    <div className={styles['scroll']}>
      <table className={styles['table']} aria-label={label}>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  )
}

/** A secret that the server shows only now. */
export function SecretDialog({ title, secret, onClose }: {
  readonly title: string
  readonly secret: string
  readonly onClose: () => void
}): ReactNode {
  return (
    <Dialog title={title} onClose={onClose}>
      <div className={styles['form']}>
        <p className={styles['hint']}>{t('settings.once')}</p>
        <code className={styles['secret']}>{secret}</code>
        <div className={styles['actions']}>
          <Button icon={Copy} onClick={() => void copyText(secret)}>
            {t('settings.copy')}
          </Button>
          <Button kind="primary" onClick={onClose}>
            {t('settings.done')}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

/** A time, or that it never was. */
export function Time({ at }: { readonly at: string | null }): ReactNode {
  return at === null ? <span className={styles['hint']}>{t('settings.never')}</span> : <time dateTime={at}>{printTime(at)}</time>
}
