import type { RuleDetail } from '@tripline/contract/console/rule'
import { useState } from 'react'
import type { FormEvent, ReactNode } from 'react'
import { callApi } from '../../../api/client.ts'
import { getErrorText } from '../../../api/api-error.ts'
import { queryClient } from '../../../api/query-client.ts'
import { enRuleParts } from '../../../i18n/en/rule-parts.ts'
import { addTexts, t } from '../../../i18n/translate.ts'
import { printTime } from '../../../lib/format-time.ts'
import { readForm } from '../../../lib/read-form.ts'
import { unitMs } from '../../../lib/time-range.ts'
import { toVisibleText } from '../../../lib/visible-text.ts'
import { Pill } from '../../../ui/badge.tsx'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { useTask } from '../../../ui/forms/use-task.ts'
import { Plus, Trash2 } from '../../../ui/icons.tsx'
import { showToast } from '../../../ui/toast-store.ts'
import { toRulePath } from '../rule-queries.ts'
import { ExceptionPreview } from './exception-preview.tsx'
import styles from './exceptions-pane.module.css'

// They are no part of the first page.
addTexts(enRuleParts)

const daysMax = 365

/** The exceptions of a rule, and a form for one more: fields with the values that are known to be harmless. */
export function ExceptionsPane({ rule, mayEdit }: { readonly rule: RuleDetail; readonly mayEdit: boolean }): ReactNode {
  const { id, etag, filters } = rule
  const remove = async (exception: string): Promise<void> => {
    const kept = filters.filter((one) => one.id !== exception).map(({ active: _active, created_at: _createdAt, ...rest }) => rest)
    try {
      await callApi(toRulePath(id), { method: 'PUT', body: { filters: kept }, ifMatch: etag })
      showToast({ kind: 'notice', text: t('rule.exception.removed') })
    } catch (error) {
      showToast({ kind: 'error', text: t('rule.exception.failed', { problem: getErrorText(error) }) })
    }
    await queryClient.invalidateQueries({ queryKey: ['rules'] })
  }
  return (
    <div className={styles['pane']}>
      {filters.length === 0 && <p className={styles['text']}>{t('rule.exception.none')}</p>}
      <ul className={styles['list']}>
        {filters.map(({ id: exception, title, detection, owner, reason, expires_at: until, active }) => (
          <li key={exception} className={styles['exception']}>
            <div className={styles['line']}>
              <Pill tone={active ? 'accent' : 'neutral'}>{active ? t('rules.active') : t('rules.expired')}</Pill>
              <strong className={styles['title']}>{toVisibleText(title)}</strong>
              {mayEdit && <IconButton icon={Trash2} label={t('rule.exception.remove', { title })} onClick={() => void remove(exception)} />}
            </div>
            <p className={styles['text']}>{toVisibleText(t('rules.exception', { reason, owner, time: printTime(until) }))}</p>
            <code className={styles['detection']}>{toVisibleText(JSON.stringify(detection))}</code>
          </li>
        ))}
      </ul>
      {mayEdit && <ExceptionForm id={id} etag={etag} />}
    </div>
  )
}

type Condition = { readonly field: string; readonly value: string }

function ExceptionForm({ id, etag }: { readonly id: string; readonly etag: string }): ReactNode {
  const [conditions, setConditions] = useState<readonly Condition[]>([{ field: '', value: '' }])
  const { problem, isBusy, run } = useTask()
  const change = (index: number, next: Partial<Condition>): void => {
    setConditions(conditions.map((one, i) => (i === index ? { ...one, ...next } : one)))
  }
  const detection = {
    exception: Object.fromEntries(conditions.map(({ field, value }) => [field.trim(), value])), condition: 'not exception',
  }
  const isWhole = conditions.every(({ field, value }) => field.trim() !== '' && value !== '')
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const form = event.currentTarget
    const read = readForm(form)
    const [title, reason, days] = [read('title'), read('reason'), read('days')]
    const body = {
      ...(title.trim() !== '' && { title: title.trim() }),
      reason: reason.trim(),
      detection,
      expires_at: new Date(Date.now() + Number(days) * unitMs.d).toISOString(),
    }
    void run(async () => {
      await callApi(`${toRulePath(id)}/exceptions`, { method: 'POST', body, ifMatch: etag })
      form.reset()
      setConditions([{ field: '', value: '' }])
      await queryClient.invalidateQueries({ queryKey: ['rules'] })
    }, t('rule.exception.added'))
  }
  return (
    <form className={styles['form']} aria-label={t('rule.exception.new')} onSubmit={submit}>
      <h3 className={styles['heading']}>{t('rule.exception.new')}</h3>
      {conditions.map(({ field, value }, index) => (
        <div key={index} className={styles['condition']}>
          <Field
            label={t('rule.exception.field')}
            required
            value={field}
            onChange={({ target }) => change(index, { field: target.value })}
          />
          <Field label={t('rule.exception.value')} value={value} onChange={({ target }) => change(index, { value: target.value })} />
          <IconButton
            icon={Trash2}
            label={t('rule.exception.dropField')}
            disabled={conditions.length === 1}
            onClick={() => setConditions(conditions.filter((_, i) => i !== index))}
          />
        </div>
      ))}
      <div>
        <Button kind="ghost" icon={Plus} onClick={() => setConditions([...conditions, { field: '', value: '' }])}>
          {t('rule.exception.addField')}
        </Button>
      </div>
      {isWhole && <ExceptionPreview id={id} detection={detection} />}
      <Field label={t('rule.exception.title')} name="title" maxLength={200} />
      <Field label={t('rule.exception.reason')} name="reason" required error={problem} />
      <Field label={t('rule.exception.days')} name="days" type="number" min={1} max={daysMax} defaultValue={7} required />
      <div>
        <Button type="submit" isBusy={isBusy}>{t('rule.exception.add')}</Button>
      </div>
    </form>
  )
}
