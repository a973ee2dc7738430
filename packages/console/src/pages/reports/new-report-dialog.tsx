import type { ReportBody } from '@tripline/contract/console/response/report'
import { useState } from 'react'
import type { FormEvent, ReactNode } from 'react'
import { t } from '../../i18n/translate.ts'
import { look } from '../../lib/look.ts'
import { readForm } from '../../lib/read-form.ts'
import { unitMs } from '../../lib/time-range.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { useTask } from '../../ui/forms/use-task.ts'
import { ErrorMessage } from '../../ui/state-message.tsx'
import styles from './new-report-dialog.module.css'
import { orderReport, useFrameworkNames } from './report-queries.ts'

const kinds = ['executive', 'soc_weekly', 'compliance', 'assets'] as const
const formats = ['pdf', 'html', 'csv', 'json'] as const
const languages = ['en', 'ko'] as const
/** Days that the server takes where none are named. */
const defaultDays = { executive: 30, soc_weekly: 7 } as const

/** Asks what the report is about, and begins to make it. */
export function NewReportDialog({ onBegun, onClose }: {
  readonly onBegun: (id: string) => void
  readonly onClose: () => void
}): ReactNode {
  const { data: frameworks, error, refetch } = useFrameworkNames()
  const [kind, setKind] = useState<ReportBody['kind']>('executive')
  const [chosen, setChosen] = useState<string>()
  const [format, setFormat] = useState<ReportBody['format']>('pdf')
  const [lang, setLang] = useState<ReportBody['lang']>(look.get().language)
  const { problem, isBusy, run } = useTask()
  const framework = chosen ?? frameworks?.[0]?.id
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const read = readForm(event.currentTarget)
    const order = {
      kind, format, lang,
      ...(kind === 'compliance' && framework !== undefined && { framework }),
      ...(kind !== 'assets' && toRange(read('from'), read('to'))),
    }
    void run(async () => onBegun(await orderReport(order)))
  }
  return (
    <Dialog title={t('reports.new')} onClose={onClose}>
      <form className={styles['form']} onSubmit={submit}>
        <Select
          label={t('reports.kind')}
          value={kind}
          options={kinds.map((value) => ({ value, label: t(`reports.kind.${value}`) }))}
          onChange={setKind}
        />
        {kind === 'compliance' && error !== null && <ErrorMessage error={error} onRetry={() => void refetch()} />}
        {kind === 'compliance' && frameworks !== undefined && (
          <Select
            label={t('reports.framework')}
            value={framework ?? ''}
            options={frameworks.map(({ id, name }) => ({ value: id, label: name }))}
            onChange={setChosen}
          />
        )}
        {kind !== 'assets' && (
          <div className={styles['pair']}>
            <Field label={t('reports.from')} name="from" type="date" />
            <Field label={t('reports.to')} name="to" type="date" />
          </div>
        )}
        <p className={styles['hint']}>{describeDays(kind)}</p>
        <div className={styles['pair']}>
          <Select
            label={t('reports.format')}
            value={format}
            options={formats.map((value) => ({ value, label: t(`reports.format.${value}`) }))}
            onChange={setFormat}
          />
          <Select
            label={t('reports.lang')}
            value={lang}
            options={languages.map((value) => ({ value, label: t(`reports.lang.${value}`) }))}
            onChange={setLang}
          />
        </div>
        {problem !== undefined && (
          <p role="alert" className={styles['problem']}>
            {problem}
          </p>
        )}
        <div className={styles['actions']}>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button kind="primary" type="submit" isBusy={isBusy}>
            {t('reports.make')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function describeDays(kind: ReportBody['kind']): string {
  if (kind === 'assets') return t('reports.present')
  return kind === 'compliance' ? t('reports.days.compliance') : t('reports.days', { count: defaultDays[kind] })
}

/** Whole days from the first to the last; a last day that is not over ends now, which is what the server takes without an end. */
function toRange(first: string, last: string): { readonly from?: string; readonly to?: string } {
  const end = last === '' ? undefined : Date.parse(last) + unitMs.d
  return {
    ...(first !== '' && { from: first }),
    ...(end !== undefined && end <= Date.now() && { to: new Date(end).toISOString() }),
  }
}
