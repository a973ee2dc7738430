import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { AlertDetailBody } from '@tripline/contract/console/alert'
import type { ExplanationBody } from '@tripline/contract/console/rule'
import type { ExceptionPreviewBody } from '@tripline/contract/console/rules/exception-preview'
import { useMemo, useState } from 'react'
import type { FormEvent, ReactNode } from 'react'
import { callApi } from '../../../api/client.ts'
import { queryClient } from '../../../api/query-client.ts'
import { printNumber, t } from '../../../i18n/translate.ts'
import { readForm } from '../../../lib/read-form.ts'
import { unitMs } from '../../../lib/time-range.ts'
import { printValue, toVisibleText } from '../../../lib/visible-text.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { useTask } from '../../../ui/forms/use-task.ts'
import { ErrorMessage } from '../../../ui/state-message.tsx'
import styles from './exception-dialog.module.css'
import { proposeConditions, toDetection } from './propose-exception.ts'
import type { ProposedCondition } from './propose-exception.ts'

type Comparison = Extract<ExplanationBody, { readonly op: string }>

const daysDefault = 7
const daysMax = 365
const valueShownMax = 120

/** An exception for what an alert is about, with what it would have hidden of the last 30 days before it is saved. */
export function ExceptionDialog({ alert, reasons, onClose }: {
  readonly alert: AlertDetailBody
  readonly reasons: readonly Comparison[]
  readonly onClose: () => void
}): ReactNode {
  const proposed = useMemo(() => proposeConditions(alert, reasons), [alert, reasons])
  const listChosen = (): string[] => proposed.flatMap(({ field, isChosen }) => (isChosen ? [field] : []))
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set(listChosen()))
  const { problem, isBusy, run } = useTask()
  const conditions = proposed.filter(({ field }) => chosen.has(field))
  const path = `/v1/detection/rules/${encodeURIComponent(alert.rule_id)}/exceptions`
  const toggle = (field: string): void => {
    setChosen((before) => (before.has(field) ? new Set([...before].filter((one) => one !== field)) : new Set([...before, field])))
  }
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const read = readForm(event.currentTarget)
    const expiresAt = new Date(Date.now() + Number(read('days')) * unitMs.d).toISOString()
    const body = { detection: toDetection(conditions), reason: read('reason').trim(), expires_at: expiresAt }
    void run(async () => {
      await callApi(path, { method: 'POST', body })
      onClose()
      await queryClient.invalidateQueries({ queryKey: ['rules'] })
    }, t('alerts.exception.added'))
  }
  return (
    <Dialog title={t('alerts.exception.title')} onClose={onClose}>
      <form className={styles['form']} onSubmit={submit}>
        <p className={styles['text']}>{toVisibleText(t('alerts.exception.hint', { rule: alert.rule_title }))}</p>
        <fieldset className={styles['conditions']}>
          <legend className="hidden-visually">{t('alerts.exception.fields')}</legend>
          {proposed.map(({ field, value }) => (
            <label key={field} className={styles['condition']}>
              <input type="checkbox" checked={chosen.has(field)} onChange={() => toggle(field)} />
              <span className={styles['field']}>{toVisibleText(field)}</span>
              <span className={styles['value']} title={printValue(value).slice(0, 1_000)}>{printValue(value).slice(0, valueShownMax)}</span>
            </label>
          ))}
        </fieldset>
        <Preview path={path} conditions={conditions} />
        <Field label={t('alerts.exception.reason')} name="reason" required autoComplete="off" error={problem} />
        <Field label={t('alerts.exception.days')} name="days" type="number" min={1} max={daysMax} defaultValue={daysDefault} required />
        <div className={styles['actions']}>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button kind="primary" type="submit" isBusy={isBusy} disabled={conditions.length === 0}>
            {t('alerts.exception.add')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function Preview({ path, conditions }: { readonly path: string; readonly conditions: readonly ProposedCondition[] }): ReactNode {
  const detection = toDetection(conditions)
  const { data, error, refetch } = useQuery({
    queryKey: ['alerts', 'exception', path, detection],
    queryFn: ({ signal }) => callApi<ExceptionPreviewBody>(`${path}/preview`, { method: 'POST', body: { detection }, signal }),
    enabled: conditions.length > 0,
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
  })
  return (
    <div className={styles['preview']} aria-live="polite">
      {conditions.length === 0 && <p>{t('alerts.exception.noField')}</p>}
      {conditions.length > 0 && error !== null && <ErrorMessage error={error} onRetry={() => void refetch()} />}
      {conditions.length > 0 && error === null && data !== undefined && (
        <>
          <p>
            {t('alerts.exception.hides', { count: data.hidden, total: printNumber(data.alerts), more: data.truncated ? '+' : '' })}
          </p>
          <p data-bad={data.by_verdict.true_positive > 0 || undefined} className={styles['confirmed']}>
            {t('alerts.exception.confirmed', { count: data.by_verdict.true_positive })}
          </p>
          <p>{t('alerts.exception.events', { count: data.events_hidden, total: printNumber(data.events) })}</p>
        </>
      )}
    </div>
  )
}
