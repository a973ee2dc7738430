import type { IncidentBody } from '@tripline/contract/console/incident'
import { useId, useState } from 'react'
import type { ReactNode } from 'react'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { useTask } from '../../ui/forms/use-task.ts'
import styles from './close-dialog.module.css'
import { applyChange } from './incident-store.ts'

/** Asks what came out of an incident, and closes it. Some tenants require the note: what the server refuses is shown here. */
export function CloseDialog({ incident, onDone }: { readonly incident: IncidentBody; readonly onDone: () => void }): ReactNode {
  const id = useId()
  const [note, setNote] = useState(incident.resolution_note)
  const { problem, isBusy, run } = useTask()
  const close = async (): Promise<void> => {
    const done = t('incidents.done.status', { status: t('incidents.status.closed') })
    if (await run(() => applyChange(incident, { status: 'closed', resolution_note: note.trim() }), done)) onDone()
  }
  return (
    <Dialog title={t('incidents.close.title')} onClose={onDone}>
      <div className={styles['form']}>
        <label htmlFor={id} className={styles['label']}>
          {t('incidents.close.note')}
        </label>
        <textarea
          id={id}
          rows={4}
          autoFocus
          className={styles['input']}
          value={note}
          aria-invalid={problem !== undefined || undefined}
          aria-describedby={problem === undefined ? undefined : `${id}-problem`}
          onChange={(event) => setNote(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void close()
          }}
        />
        {problem !== undefined && (
          <p id={`${id}-problem`} className={styles['problem']} role="alert">
            {t('incidents.close.refused', { problem })}
          </p>
        )}
        <div className={styles['actions']}>
          <Button onClick={onDone}>{t('cancel')}</Button>
          <Button kind="primary" keys="Mod+Enter" isBusy={isBusy} onClick={() => void close()}>
            {t('incidents.close.confirm')}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
