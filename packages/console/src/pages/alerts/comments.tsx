import type { AlertDetailBody } from '@tripline/contract/console/alert'
import { useState } from 'react'
import type { ReactNode, Ref } from 'react'
import { t } from '../../i18n/translate.ts'
import { printTime } from '../../lib/format-time.ts'
import { toVisibleText } from '../../lib/visible-text.ts'
import { Button } from '../../ui/button.tsx'
import { changeAlerts } from './alert-store.ts'
import styles from './comments.module.css'

/** What people wrote about an alert, oldest first. */
export function CommentList({ comments }: { readonly comments: AlertDetailBody['comments'] }): ReactNode {
  return (
    <ol className={styles['list']}>
      {comments.map(({ id, author, content, created_at: at }) => (
        <li key={id} className={styles['comment']}>
          <div className={styles['head']}>
            {author} · <time dateTime={at}>{printTime(at)}</time>
          </div>
          <p className={styles['text']}>{toVisibleText(content)}</p>
        </li>
      ))}
    </ol>
  )
}

/** Adds a comment; Ctrl+Enter sends it. */
export function CommentForm({ alert, ref }: { readonly alert: AlertDetailBody; readonly ref: Ref<HTMLTextAreaElement> }): ReactNode {
  const [text, setText] = useState('')
  const [isBusy, setIsBusy] = useState(false)
  const send = async (): Promise<void> => {
    if (text.trim() === '') return
    setIsBusy(true)
    await changeAlerts([alert], { notes: text.trim() }, '')
    setIsBusy(false)
    setText('')
  }
  return (
    <div className={styles['form']}>
      <textarea
        ref={ref}
        rows={2}
        className={styles['input']}
        aria-label={t('alerts.comment.label')}
        placeholder={t('alerts.comment.label')}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') event.currentTarget.blur()
          else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void send()
        }}
      />
      <Button keys="Mod+Enter" isBusy={isBusy} disabled={text.trim() === ''} onClick={() => void send()}>
        {t('alerts.comment.send')}
      </Button>
    </div>
  )
}
