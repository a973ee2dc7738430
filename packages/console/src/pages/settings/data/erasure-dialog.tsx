import { useQuery } from '@tanstack/react-query'
import type { DataSubjectRequestBody } from '@tripline/contract/console/response/data-subject-request'
import type { ErasureBody } from '@tripline/contract/console/response/erasure'
import { useState } from 'react'
import type { FormEvent, ReactNode } from 'react'
import { ApiError } from '../../../api/api-error.ts'
import { callApi } from '../../../api/client.ts'
import { queryClient } from '../../../api/query-client.ts'
import { printNumber, t } from '../../../i18n/translate.ts'
import { readForm } from '../../../lib/read-form.ts'
import { toVisibleText } from '../../../lib/visible-text.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { Refusal } from '../../../ui/forms/refusal.tsx'
import { useTask } from '../../../ui/forms/use-task.ts'
import { ErrorMessage } from '../../../ui/state-message.tsx'
import styles from '../forms.module.css'
import { Lines } from '../lines.tsx'

const everyMs = 1_000

type ErasureDialogProps = { readonly request: DataSubjectRequestBody; readonly onClose: () => void }

/** Erases what names a person, after the person is named again: it cannot be taken back. */
export function ErasureDialog({ request, onClose }: ErasureDialogProps): ReactNode {
  const { id, subject_ref: subject } = request
  const path = `/v1/dsr/${encodeURIComponent(id)}/erasure`
  const key = ['settings', 'erasure', id]
  const { data, error } = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => {
      try {
        return await callApi<ErasureBody>(path, { signal })
      } catch (problem) {
        // None was begun yet.
        if (problem instanceof ApiError && problem.status === 404) return null
        throw problem
      }
    },
    refetchInterval: ({ state: { data: known } }) => (known?.status === 'queued' || known?.status === 'running' ? everyMs : false),
  })
  const [typed, setTyped] = useState('')
  const { problem, isBusy, run } = useTask()
  const begin = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const identifiers = readForm(event.currentTarget)('identifiers').split('\n').map((line) => line.trim()).filter((line) => line !== '')
    void run(async () => {
      await callApi(path, { method: 'POST', body: { identifiers } })
      await queryClient.invalidateQueries({ queryKey: key })
    })
  }
  return (
    <Dialog title={t('data.erasure.of', { subject: toVisibleText(subject) })} onClose={onClose}>
      {error !== null && <ErrorMessage error={error} />}
      {data !== null && data !== undefined && <Outcome erasure={data} />}
      <form className={styles['dialog']} onSubmit={begin}>
        <p className={styles['note']}>{t('data.erasure.text')}</p>
        <Lines label={t('data.erasure.identifiers')} name="identifiers" values={[subject]} />
        <Field
          label={t('data.erasure.confirm', { subject: toVisibleText(subject) })}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
          autoComplete="off"
        />
        <Refusal text={problem} />
        <div className={styles['actions']}>
          <Button onClick={onClose}>{t('close')}</Button>
          <Button
            kind="danger"
            type="submit"
            isBusy={isBusy}
            blocked={typed === subject ? undefined : t('data.erasure.confirm', { subject: toVisibleText(subject) })}
          >
            {t('data.erasure')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function Outcome({ erasure }: { readonly erasure: ErasureBody }): ReactNode {
  const { status, events_erased: events, rows_erased: rows, still_named: named, error } = erasure
  return (
    <div role="status" className={styles['note']}>
      <p>{t(`data.erasure.status.${status}`, { events: printNumber(events), rows: printNumber(rows) })}</p>
      {error !== '' && <p>{toVisibleText(error)}</p>}
      {named.length > 0 && <p>{t('data.erasure.named', { names: named.map(({ type, id }) => `${type} ${id}`).join(', ') })}</p>}
    </div>
  )
}
