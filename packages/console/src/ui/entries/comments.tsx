import { useState } from 'react'
import type { ReactNode, Ref } from 'react'
import { t } from '../../i18n/translate.ts'
import { printTime } from '../../lib/format-time.ts'
import { toVisibleText } from '../../lib/visible-text.ts'
import { Button } from '../button.tsx'
import styles from './comments.module.css'

/** A comment as the API states it. */
type Comment = { readonly id: string; readonly author: string; readonly content: string; readonly created_at: string }

/** What people wrote, oldest first. */
export function CommentList({ comments }: { readonly comments: readonly Comment[] }): ReactNode {
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
export function CommentForm({
  onSend,
  ref,
}: {
  /** Sends it; whether it was accepted: a refused one stays in the form. */
  readonly onSend: (text: string) => Promise<boolean>
  readonly ref: Ref<HTMLTextAreaElement>
}): ReactNode {
  const [text, setText] = useState('')
  const [isBusy, setIsBusy] = useState(false)
  const send = async (): Promise<void> => {
    if (text.trim() === '') return
    setIsBusy(true)
    const isAccepted = await onSend(text.trim())
    setIsBusy(false)
    if (isAccepted) setText('')
  }
  return (
    <div className={styles['form']}>
      <textarea
        ref={ref}
        rows={2}
        className={styles['input']}
        aria-label={t('comment.label')}
        placeholder={t('comment.label')}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') event.currentTarget.blur()
          else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void send()
        }}
      />
      <Button keys="Mod+Enter" isBusy={isBusy} disabled={text.trim() === ''} onClick={() => void send()}>
        {t('comment.send')}
      </Button>
    </div>
  )
}
