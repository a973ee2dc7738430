import { useEffect, useRef, useState } from 'react'
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
    <ScrollBox label={label}>
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
    </ScrollBox>
  )
}

/** Scrolls what is wider than the window; only then it is a stop of the keyboard. */
function ScrollBox({ label, children }: { readonly label: string; readonly children: ReactNode }): ReactNode {
  const box = useRef<HTMLDivElement>(null)
  const [isWider, setIsWider] = useState(false)
  useEffect(() => {
    const element = box.current!
    const observer = new ResizeObserver(() => setIsWider(element.scrollWidth > element.clientWidth))
    for (const observed of [element, ...element.children]) observer.observe(observed)
    return () => observer.disconnect()
  }, [])
  return (
    <div ref={box} className={styles['scroll']} {...(isWider && { role: 'group', tabIndex: 0, 'aria-label': label })}>
      {children}
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
