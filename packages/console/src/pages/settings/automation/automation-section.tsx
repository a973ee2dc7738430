import type { PlaybookBody } from '@tripline/contract/console/response/playbook'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { callApi } from '../../../api/client.ts'
import { useMay } from '../../../api/use-may.ts'
import { printNumber, t } from '../../../i18n/translate.ts'
import { toVisibleText } from '../../../lib/visible-text.ts'
import { Pill } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Question } from '../../../ui/forms/question.tsx'
import { Refusal } from '../../../ui/forms/refusal.tsx'
import { useTask } from '../../../ui/forms/use-task.ts'
import { Plus } from '../../../ui/icons.tsx'
import { ErrorMessage } from '../../../ui/state-message.tsx'
import styles from '../forms.module.css'
import { PlainTable, Section, Time } from '../parts.tsx'
import { refreshList, useList } from '../settings-queries.ts'
import { PlaybookDialog } from './playbook-dialog.tsx'
import { PlaybookRuns } from './playbook-runs.tsx'

type PlaybookList = { readonly playbooks: readonly PlaybookBody[] }

/** Playbooks: steps that are taken about alerts and incidents, by themselves or when a user says so, and what came of them. */
export function AutomationSection(): ReactNode {
  const mayEdit = useMay('edit_playbooks')
  const { data, error, refetch } = useList<PlaybookList>('playbooks', '/v1/playbooks')
  const [edited, setEdited] = useState<PlaybookBody | 'new'>()
  const [removed, setRemoved] = useState<PlaybookBody>()
  const [openId, setOpenId] = useState<string>()
  const task = useTask()
  const { problem, run } = task
  const toggle = ({ id, enabled }: PlaybookBody): void => void run(async () => {
    await callApi(`/v1/playbooks/${encodeURIComponent(id)}`, { method: 'PATCH', body: { enabled: !enabled } })
    await refreshList('playbooks')
  }, t('settings.saved'))
  const remove = async ({ id }: PlaybookBody): Promise<void> => {
    const isDone = await run(async () => {
      await callApi(`/v1/playbooks/${encodeURIComponent(id)}`, { method: 'DELETE' })
      await refreshList('playbooks')
    }, t('automation.removed'))
    if (isDone) setRemoved(undefined)
  }
  const open = data?.playbooks.find(({ id }) => id === openId)
  return (
    <>
      <Section title={t('settings.automation')} hint={t('automation.hint')}>
        {mayEdit && (
          <div className={styles['row']}>
            <Button kind="primary" icon={Plus} onClick={() => setEdited('new')}>{t('automation.add')}</Button>
          </div>
        )}
        {error !== null && <ErrorMessage error={error} onRetry={() => void refetch()} />}
        {removed === undefined && <Refusal text={problem} />}
        {data?.playbooks.length === 0 && <p className={styles['note']}>{t('automation.none')}</p>}
        {data !== undefined && data.playbooks.length > 0 && (
          <PlainTable
            label={t('settings.automation')}
            heads={[
              t('settings.name'), t('automation.when'), t('automation.steps'),
              t('settings.state'), t('automation.last'), t('settings.actions'),
            ]}
          >
            {data.playbooks.map((playbook) => (
              <tr key={playbook.id}>
                <td>{toVisibleText(playbook.name)}</td>
                <td>{t(`automation.when.${playbook.subject}.${playbook.trigger}`)}</td>
                <td>{playbook.steps.map(({ type }) => t(`automation.step.${type}`)).join(', ')}</td>
                <td>
                  <Pill tone={playbook.enabled ? 'ok' : 'neutral'}>{t(playbook.enabled ? 'settings.active' : 'settings.inactive')}</Pill>
                </td>
                <td><Time at={playbook.last_run_at} /></td>
                <td>
                  <div className={styles['cells']}>
                    <Button isPressed={playbook.id === openId} onClick={() => setOpenId(playbook.id === openId ? undefined : playbook.id)}>
                      {t('automation.runs', { count: printNumber(playbook.runs_total) })}
                    </Button>
                    {mayEdit && (
                      <Button onClick={() => toggle(playbook)}>{t(playbook.enabled ? 'automation.off' : 'automation.on')}</Button>
                    )}
                    {mayEdit && <Button onClick={() => setEdited(playbook)}>{t('settings.edit')}</Button>}
                    {mayEdit && <Button kind="danger" onClick={() => setRemoved(playbook)}>{t('automation.remove')}</Button>}
                  </div>
                </td>
              </tr>
            ))}
          </PlainTable>
        )}
      </Section>
      {open !== undefined && <PlaybookRuns key={open.id} playbook={open} />}
      {edited !== undefined && (
        <PlaybookDialog playbook={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />
      )}
      {removed !== undefined && (
        <Question
          title={t('automation.remove')}
          text={t('automation.remove.text', { name: toVisibleText(removed.name) })}
          confirm={t('automation.remove')}
          task={task}
          onConfirm={() => void remove(removed)}
          onClose={() => setRemoved(undefined)}
        />
      )}
    </>
  )
}
