import type { DataSubjectRequestBody } from '@tripline/contract/console/response/data-subject-request'
import { useState } from 'react'
import type { FormEvent, ReactNode } from 'react'
import { callApi } from '../../../api/client.ts'
import { useMay } from '../../../api/use-may.ts'
import { t } from '../../../i18n/translate.ts'
import { readForm } from '../../../lib/read-form.ts'
import { toVisibleText } from '../../../lib/visible-text.ts'
import { Pill } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field, Select } from '../../../ui/field.tsx'
import { Refusal } from '../../../ui/forms/refusal.tsx'
import { useTask } from '../../../ui/forms/use-task.ts'
import { Plus } from '../../../ui/icons.tsx'
import { ErrorMessage } from '../../../ui/state-message.tsx'
import styles from '../forms.module.css'
import { PlainTable, Section, Time } from '../parts.tsx'
import { refreshList, useList } from '../settings-queries.ts'
import { ErasureDialog } from './erasure-dialog.tsx'

type RequestList = { readonly requests: readonly DataSubjectRequestBody[] }

const types = ['access', 'rectification', 'erasure', 'restriction', 'portability', 'objection', 'opt_out'] as const
const laws = ['gdpr', 'ccpa'] as const
const statuses = ['open', 'in_progress', 'completed', 'rejected'] as const

/** What persons asked about their data: when it is due, how far it is, and the erasure of what names them. */
export function RequestsSection(): ReactNode {
  const mayEdit = useMay('edit_requests')
  const mayErase = useMay('administer_tenant')
  const { data, error, refetch } = useList<RequestList>('requests', '/v1/dsr', { limit: '200' })
  const [isAdding, setIsAdding] = useState(false)
  const [erased, setErased] = useState<DataSubjectRequestBody>()
  const { problem, run } = useTask()
  const setStatus = (id: string, status: DataSubjectRequestBody['status']): void => void run(async () => {
    await callApi(`/v1/dsr/${encodeURIComponent(id)}`, { method: 'PATCH', body: { status } })
    await refreshList('requests')
  }, t('settings.saved'))
  return (
    <Section title={t('settings.requests')} hint={t('data.requests.hint')}>
      {mayEdit && (
        <div className={styles['row']}>
          <Button kind="primary" icon={Plus} onClick={() => setIsAdding(true)}>{t('data.request.add')}</Button>
        </div>
      )}
      {error !== null && <ErrorMessage error={error} onRetry={() => void refetch()} />}
      <Refusal text={problem} />
      {data?.requests.length === 0 && <p className={styles['note']}>{t('data.request.none')}</p>}
      {data !== undefined && data.requests.length > 0 && (
        <PlainTable
          label={t('settings.requests')}
          heads={[
            t('data.type'), t('data.request.law'), t('data.request.subject'),
            t('settings.state'), t('data.request.due'), t('settings.actions'),
          ]}
        >
          {data.requests.map((request) => (
            <tr key={request.id}>
              <td>{t(`data.request.type.${request.type}`)}</td>
              <td>{t(`data.request.law.${request.law}`)}</td>
              <td>{toVisibleText(request.subject_ref)}</td>
              <td>
                {mayEdit
                  ? (
                      <Select
                        label={t('data.request.stateOf', { subject: toVisibleText(request.subject_ref) })}
                        value={request.status}
                        options={statuses.map((value) => ({ value, label: t(`data.request.status.${value}`) }))}
                        onChange={(status) => setStatus(request.id, status)}
                      />
                    )
                  : t(`data.request.status.${request.status}`)}
              </td>
              <td>
                <Time at={request.due_at} /> {request.overdue && <Pill tone="bad">{t('data.request.overdue')}</Pill>}
              </td>
              <td>
                {mayErase && request.type === 'erasure' && (
                  <Button kind="danger" onClick={() => setErased(request)}>{t('data.erasure')}</Button>
                )}
              </td>
            </tr>
          ))}
        </PlainTable>
      )}
      {isAdding && <RequestDialog onClose={() => setIsAdding(false)} />}
      {erased !== undefined && <ErasureDialog request={erased} onClose={() => setErased(undefined)} />}
    </Section>
  )
}

function RequestDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const [type, setType] = useState<DataSubjectRequestBody['type']>('access')
  const [law, setLaw] = useState<DataSubjectRequestBody['law']>('gdpr')
  const { problem, isBusy, run } = useTask()
  const save = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const read = readForm(event.currentTarget)
    const body = { type, law, subject_ref: read('subject').trim(), note: read('note').trim() }
    void run(async () => {
      await callApi('/v1/dsr', { method: 'POST', body })
      await refreshList('requests')
    }, t('settings.saved')).then((isDone) => {
      if (isDone) onClose()
    })
  }
  return (
    <Dialog title={t('data.request.add')} onClose={onClose}>
      <form className={styles['dialog']} onSubmit={save}>
        <Field label={t('data.request.subject')} name="subject" hint={t('data.request.subject.hint')} required autoFocus />
        <Select
          label={t('data.type')}
          value={type}
          options={types.map((value) => ({ value, label: t(`data.request.type.${value}`) }))}
          onChange={setType}
        />
        <Select
          label={t('data.request.law')}
          value={law}
          options={laws.map((value) => ({ value, label: t(`data.request.law.${value}`) }))}
          onChange={setLaw}
        />
        <Field label={t('data.request.note')} name="note" />
        <Refusal text={problem} />
        <div className={styles['actions']}>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button kind="primary" type="submit" isBusy={isBusy}>{t('data.request.enter')}</Button>
        </div>
      </form>
    </Dialog>
  )
}
