import type { PlaybookBody } from '@tripline/contract/console/response/playbook'
import { useState } from 'react'
import type { FormEvent, ReactNode } from 'react'
import { callApi } from '../../../api/client.ts'
import { t } from '../../../i18n/translate.ts'
import { readForm } from '../../../lib/read-form.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field, Select, TextArea } from '../../../ui/field.tsx'
import { Refusal } from '../../../ui/forms/refusal.tsx'
import { useTask } from '../../../ui/forms/use-task.ts'
import styles from '../forms.module.css'
import { refreshList } from '../settings-queries.ts'
import { createStep, StepFields } from './step-fields.tsx'
import type { Step } from './step-fields.tsx'

type PlaybookDialogProps = { readonly playbook: PlaybookBody | undefined; readonly onClose: () => void }

/** A playbook: when it runs, about what, and its steps in order. */
export function PlaybookDialog({ playbook, onClose }: PlaybookDialogProps): ReactNode {
  const [subject, setSubject] = useState<PlaybookBody['subject']>(playbook?.subject ?? 'alert')
  const [trigger, setTrigger] = useState<PlaybookBody['trigger']>(playbook?.trigger ?? 'manual')
  const [steps, setSteps] = useState<readonly Step[]>(playbook?.steps ?? [createStep('comment')])
  const { problem, isBusy, run } = useTask()
  const save = async (read: (name: string) => string): Promise<void> => {
    const filter = read('filter').trim()
    const body = {
      name: read('name').trim(), description: read('description').trim(), trigger, steps,
      // What is no JSON is refused here, with the place where it ends to be.
      filter: filter === '' ? null : (JSON.parse(filter) as unknown),
    }
    if (playbook === undefined) await callApi('/v1/playbooks', { method: 'POST', body: { ...body, subject } })
    else await callApi(`/v1/playbooks/${encodeURIComponent(playbook.id)}`, { method: 'PATCH', body })
    await refreshList('playbooks')
  }
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const read = readForm(event.currentTarget)
    void run(() => save(read), t('settings.saved')).then((isDone) => {
      if (isDone) onClose()
    })
  }
  const filter = playbook?.filter ?? null
  return (
    <Dialog title={playbook === undefined ? t('automation.add') : t('automation.edit')} onClose={onClose}>
      <form className={styles['dialog']} onSubmit={submit}>
        <Field label={t('settings.name')} name="name" defaultValue={playbook?.name ?? ''} required autoFocus />
        <Field label={t('automation.description')} name="description" defaultValue={playbook?.description ?? ''} />
        <div className={styles['pair']}>
          {playbook === undefined && (
            <Select
              label={t('automation.subject')}
              value={subject}
              options={(['alert', 'incident'] as const).map((value) => ({ value, label: t(`automation.subject.${value}`) }))}
              onChange={setSubject}
            />
          )}
          <Select
            label={t('automation.trigger')}
            value={trigger}
            options={(['manual', 'match'] as const).map((value) => ({ value, label: t(`automation.trigger.${value}`) }))}
            onChange={setTrigger}
          />
        </div>
        {trigger === 'match' && (
          <TextArea
            label={t('automation.filter')}
            name="filter"
            defaultValue={filter === null ? '' : JSON.stringify(filter, undefined, 2)}
            hint={t('automation.filter.hint')}
          />
        )}
        <StepFields steps={steps} onChange={setSteps} />
        <Refusal text={problem} />
        <div className={styles['actions']}>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button kind="primary" type="submit" isBusy={isBusy} blocked={steps.length === 0 ? t('settings.needs.step') : undefined}>
            {t('save')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
