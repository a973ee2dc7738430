import type { ChangedRulePipelineBody, RulePipelineBody, RulePipelineListBody } from '@tripline/contract/console/rules/rule-pipeline'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { callApi } from '../../../api/client.ts'
import { t } from '../../../i18n/translate.ts'
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
import { RulePipelineDialog } from './rule-pipeline-dialog.tsx'
import { RulePipelineTest } from './rule-pipeline-test.tsx'

const path = '/v1/detection/rule-pipelines'

/** What rewrites the rules of the tenant: each pipeline with its state, and what all of them make of the rules. */
export function RulePipelinesSection(): ReactNode {
  const { data, error, refetch } = useList<RulePipelineListBody>('rule-pipelines', path)
  const [edited, setEdited] = useState<RulePipelineBody | 'new'>()
  const [removed, setRemoved] = useState<RulePipelineBody>()
  const task = useTask()
  const change = (pipeline: RulePipelineBody, body: object): void => void task.run(async () => {
    await callApi<ChangedRulePipelineBody>(toPath(pipeline), { method: 'PATCH', body, ifMatch: toEtag(pipeline) })
    await refreshList('rule-pipelines')
  }, t('settings.saved'))
  const remove = async (pipeline: RulePipelineBody): Promise<void> => {
    const isDone = await task.run(async () => {
      await callApi(toPath(pipeline), { method: 'DELETE', ifMatch: toEtag(pipeline) })
      await refreshList('rule-pipelines')
    }, t('settings.saved'))
    if (isDone) setRemoved(undefined)
  }
  const pipelines = data?.pipelines ?? []
  return (
    <>
      <Section title={t('settings.rule-pipelines')} hint={t('settings.rulePipelines.hint')}>
        <div className={styles['row']}>
          <Button kind="primary" icon={Plus} onClick={() => setEdited('new')}>{t('settings.rulePipelines.add')}</Button>
        </div>
        {error !== null && <ErrorMessage error={error} onRetry={() => void refetch()} />}
        {data?.pipelines.length === 0 && <p className={styles['note']}>{t('settings.rulePipelines.none')}</p>}
        {pipelines.length > 0 && (
          <PlainTable
            label={t('settings.rule-pipelines')}
            heads={[
              t('settings.name'), t('settings.rulePipelines.priority'), t('settings.state'), t('settings.rulePipelines.changed'),
              t('settings.actions'),
            ]}
          >
            {pipelines.map((pipeline) => (
              <tr key={pipeline.id}>
                <td>{toVisibleText(pipeline.name)}</td>
                <td>{pipeline.priority}</td>
                <td><PipelineState pipeline={pipeline} /></td>
                <td>
                  <Time at={pipeline.updated_at} /> {toVisibleText(pipeline.updated_by)}
                </td>
                <td>
                  <div className={styles['cells']}>
                    <Button onClick={() => setEdited(pipeline)}>{t('settings.rulePipelines.edit')}</Button>
                    <Button isBusy={task.isBusy} onClick={() => change(pipeline, { enabled: !pipeline.enabled })}>
                      {t(pipeline.enabled ? 'settings.rulePipelines.off' : 'settings.rulePipelines.on')}
                    </Button>
                    <Button kind="danger" onClick={() => setRemoved(pipeline)}>{t('settings.rulePipelines.remove')}</Button>
                  </div>
                </td>
              </tr>
            ))}
          </PlainTable>
        )}
        {data !== undefined && pipelines.length > 0 && (
          <p className={styles['note']}>
            {t('settings.rulePipelines.effect', { changed: String(data.rules_changed), refused: String(data.rules_refused) })}
          </p>
        )}
        {removed === undefined && <Refusal text={task.problem} />}
      </Section>
      <RulePipelineTest />
      {edited !== undefined && (
        <RulePipelineDialog
          pipeline={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
        />
      )}
      {removed !== undefined && (
        <Question
          title={t('settings.rulePipelines.remove')}
          text={t('settings.rulePipelines.remove.text', { name: toVisibleText(removed.name) })}
          confirm={t('settings.rulePipelines.remove')}
          task={task}
          onConfirm={() => void remove(removed)}
          onClose={() => setRemoved(undefined)}
        />
      )}
    </>
  )
}

function PipelineState({ pipeline: { enabled, problem } }: { readonly pipeline: RulePipelineBody }): ReactNode {
  if (problem !== null) return <Pill tone="bad">{toVisibleText(problem)}</Pill>
  return <Pill tone={enabled ? 'ok' : 'neutral'}>{t(enabled ? 'settings.rulePipelines.active' : 'settings.rulePipelines.inactive')}</Pill>
}

function toPath({ id }: RulePipelineBody): string {
  return `${path}/${encodeURIComponent(id)}`
}

function toEtag({ revision }: RulePipelineBody): string {
  return `"${revision}"`
}
