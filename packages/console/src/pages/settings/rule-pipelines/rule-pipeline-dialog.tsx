import type { ChangedRulePipelineBody, RulePipelineBody } from '@tripline/contract/console/rules/rule-pipeline'
import { useState } from 'react'
import type { FormEvent, ReactNode } from 'react'
import { callApi } from '../../../api/client.ts'
import { t } from '../../../i18n/translate.ts'
import { readForm } from '../../../lib/read-form.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field, TextArea } from '../../../ui/field.tsx'
import { CheckBox } from '../../../ui/forms/check-box.tsx'
import { Refusal } from '../../../ui/forms/refusal.tsx'
import { useTask } from '../../../ui/forms/use-task.ts'
import { showToast } from '../../../ui/toast-store.ts'
import styles from '../forms.module.css'
import { refreshList } from '../settings-queries.ts'

const path = '/v1/detection/rule-pipelines'
const example = 'name: Own names\ntransformations:\n  - type: field_name_mapping\n    mapping:\n      Image: proc.path\n'

/** A new pipeline, or a change of one. */
export function RulePipelineDialog({ pipeline, onClose }: {
  readonly pipeline: RulePipelineBody | undefined
  readonly onClose: () => void
}): ReactNode {
  const [isEnabled, setIsEnabled] = useState(pipeline?.enabled ?? true)
  const { problem, isBusy, run } = useTask()
  const save = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const read = readForm(event.currentTarget)
    const priority = read('priority').trim()
    const body = {
      name: read('name').trim(), text: read('text'), enabled: isEnabled, ...(priority !== '' && { priority: Number(priority) }),
    }
    void run(async () => {
      const { rules_changed: changed, rules_refused: refused } = pipeline === undefined
        ? await callApi<ChangedRulePipelineBody>(path, { method: 'POST', body })
        : await callApi<ChangedRulePipelineBody>(`${path}/${encodeURIComponent(pipeline.id)}`, {
          method: 'PATCH', body, ifMatch: `"${pipeline.revision}"`,
        })
      await refreshList('rule-pipelines')
      showToast({ kind: 'notice', text: t('settings.rulePipelines.effect', { changed: String(changed), refused: String(refused) }) })
    }).then((isDone) => {
      if (isDone) onClose()
    })
  }
  return (
    <Dialog title={t(pipeline === undefined ? 'settings.rulePipelines.add' : 'settings.rulePipelines.edit')} onClose={onClose}>
      <form className={styles['dialog']} onSubmit={save}>
        <Field label={t('settings.name')} name="name" defaultValue={pipeline?.name} required autoFocus />
        <Field
          label={t('settings.rulePipelines.priority')} name="priority" type="number" min={0} max={10_000}
          defaultValue={pipeline?.priority} hint={t('settings.rulePipelines.priorityHint')}
        />
        <TextArea
          label={t('settings.rulePipelines.text')} name="text" rows={14} spellCheck={false}
          defaultValue={pipeline?.text ?? example} required
        />
        <CheckBox label={t('settings.rulePipelines.enabled')} isOn={isEnabled} onChange={setIsEnabled} />
        <Refusal text={problem} />
        <div className={styles['actions']}>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button kind="primary" type="submit" isBusy={isBusy}>{t('settings.rulePipelines.save')}</Button>
        </div>
      </form>
    </Dialog>
  )
}
