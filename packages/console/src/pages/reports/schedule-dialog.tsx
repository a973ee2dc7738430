import type { ReportScheduleBody } from '@tripline/contract/console/report-schedule'
import { useState } from 'react'
import type { FormEvent, ReactNode } from 'react'
import { t } from '../../i18n/translate.ts'
import { look } from '../../lib/look.ts'
import { readForm } from '../../lib/read-form.ts'
import { toVisibleText } from '../../lib/visible-text.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { CheckBox } from '../../ui/forms/check-box.tsx'
import { Refusal } from '../../ui/forms/refusal.tsx'
import { useTask } from '../../ui/forms/use-task.ts'
import { ErrorMessage } from '../../ui/state-message.tsx'
import styles from './new-report-dialog.module.css'
import { useFrameworkNames } from './report-queries.ts'
import { listWeekdays } from './schedule-columns.tsx'
import { saveSchedule, useChannelNames } from './schedule-queries.ts'
import { printTimes, readTimes, repeats } from './schedule-times.ts'
import type { ScheduleTimes } from './schedule-times.ts'

const kinds = ['executive', 'soc_weekly', 'compliance', 'assets'] as const
const formats = ['pdf', 'html', 'csv', 'json'] as const
const languages = ['en', 'ko'] as const
const usualDays = { executive: 30, soc_weekly: 7 } as const

type Choices = Pick<ReportScheduleBody, 'kind' | 'format' | 'lang' | 'framework'>

/** Asks what is made, when, and where it goes; without a schedule it creates one. */
export function ScheduleDialog({ schedule, onSaved, onClose }: {
  readonly schedule: ReportScheduleBody | undefined
  readonly onSaved: (id: string) => void
  readonly onClose: () => void
}): ReactNode {
  const { data: frameworks, error, refetch } = useFrameworkNames()
  const { data: channels = [] } = useChannelNames()
  const [choices, setChoices] = useState(readChoices(schedule))
  const [times, setTimes] = useState<ScheduleTimes>(readTimes(schedule?.cron ?? '0 8 * * 1'))
  const [channelIds, setChannelIds] = useState<readonly string[]>(schedule?.channel_ids ?? [])
  const { problem, isBusy, run } = useTask()
  const { kind } = choices
  const framework = choices.framework ?? frameworks?.[0]?.id ?? null
  const hasMail = channels.some(({ id, settings: { type } }) => type === 'email' && channelIds.includes(id))
  const save = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const read = readForm(event.currentTarget)
    const order = {
      ...choices, name: read('name').trim(), framework: kind === 'compliance' ? framework : null, cron: printTimes(times).trim(),
      days: kind === 'executive' || kind === 'soc_weekly' ? Number(read('days')) : null, channel_ids: [...channelIds],
      recipients: hasMail ? read('recipients').split(/[\s,;]+/).filter((address) => address !== '') : [],
    }
    void run(async () => onSaved(await saveSchedule(order, schedule?.id)), t('schedules.saved'))
  }
  return (
    <Dialog title={t(schedule === undefined ? 'schedules.new' : 'schedules.edit.title')} onClose={onClose}>
      <form className={styles['form']} onSubmit={save}>
        <Field label={t('schedules.name')} name="name" defaultValue={schedule?.name ?? ''} required autoFocus />
        <Select
          label={t('reports.kind')}
          value={kind}
          options={kinds.map((value) => ({ value, label: t(`reports.kind.${value}`) }))}
          onChange={(value) => setChoices({ ...choices, kind: value })}
        />
        {kind === 'compliance' && error !== null && <ErrorMessage error={error} onRetry={() => void refetch()} />}
        {kind === 'compliance' && frameworks !== undefined && (
          <Select
            label={t('reports.framework')}
            value={framework ?? ''}
            options={frameworks.map(({ id, name }) => ({ value: id, label: name }))}
            onChange={(value) => setChoices({ ...choices, framework: value })}
          />
        )}
        {(kind === 'executive' || kind === 'soc_weekly') && (
          <Field
            key={kind}
            label={t('schedules.days')}
            unit={t('schedules.days.unit')}
            name="days"
            type="number"
            min={1}
            max={400}
            defaultValue={(schedule?.kind === kind ? schedule.days : null) ?? usualDays[kind]}
            required
          />
        )}
        <TimeFields times={times} onChange={setTimes} />
        <div className={styles['pair']}>
          <Select
            label={t('reports.format')}
            value={choices.format}
            options={formats.map((value) => ({ value, label: t(`reports.format.${value}`) }))}
            onChange={(value) => setChoices({ ...choices, format: value })}
          />
          <Select
            label={t('reports.lang')}
            value={choices.lang}
            options={languages.map((value) => ({ value, label: t(`reports.lang.${value}`) }))}
            onChange={(value) => setChoices({ ...choices, lang: value })}
          />
        </div>
        <fieldset className={styles['group']}>
          <legend className={styles['legend']}>{t('schedules.channels')}</legend>
          {channels.length === 0 && <p className={styles['hint']}>{t('schedules.channels.empty')}</p>}
          {channels.map(({ id, name, settings: { type } }) => (
            <CheckBox
              key={id}
              label={`${toVisibleText(name)} (${t(`schedules.channel.${type}`)})`}
              isOn={channelIds.includes(id)}
              onChange={(isOn) => setChannelIds(isOn ? [...channelIds, id] : channelIds.filter((one) => one !== id))}
            />
          ))}
        </fieldset>
        {hasMail && (
          <Field
            label={t('schedules.recipients')}
            name="recipients"
            defaultValue={schedule?.recipients.join(', ') ?? ''}
            hint={t('schedules.recipients.hint')}
          />
        )}
        <Refusal text={problem} />
        <div className={styles['actions']}>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button kind="primary" type="submit" isBusy={isBusy}>{t('save')}</Button>
        </div>
      </form>
    </Dialog>
  )
}

/** What the form holds beside its fields; a new schedule is of the week of the SOC. */
function readChoices(schedule: ReportScheduleBody | undefined): Choices {
  if (schedule === undefined) return { kind: 'soc_weekly', format: 'pdf', lang: look.get().language, framework: null }
  const { kind, format, lang, framework } = schedule
  return { kind, format, lang, framework }
}

/** How often and when, as fields; an expression where these do not say it. */
function TimeFields({ times, onChange }: { readonly times: ScheduleTimes; readonly onChange: (times: ScheduleTimes) => void }): ReactNode {
  const { repeat, time, weekday, day, cron } = times
  return (
    <>
      <div className={styles['pair']}>
        <Select
          label={t('schedules.repeat')}
          value={repeat}
          options={repeats.map((value) => ({ value, label: t(`schedules.repeat.${value}`) }))}
          onChange={(value) => onChange({ ...times, repeat: value, cron: printTimes(times) })}
        />
        {repeat !== 'custom' && (
          <Field
            label={t('schedules.time')}
            type="time"
            value={time}
            onChange={(event) => onChange({ ...times, time: event.target.value })}
            required
          />
        )}
        {repeat === 'custom' && (
          <Field label={t('schedules.cron')} value={cron} onChange={(event) => onChange({ ...times, cron: event.target.value })} required />
        )}
      </div>
      {repeat === 'weekly' && (
        <Select
          label={t('schedules.weekday')}
          value={weekday}
          options={listWeekdays()}
          onChange={(value) => onChange({ ...times, weekday: value })}
        />
      )}
      {repeat === 'monthly' && (
        <Field
          label={t('schedules.day')}
          type="number"
          min={1}
          max={31}
          value={day}
          onChange={(event) => onChange({ ...times, day: event.target.value })}
          hint={t('schedules.day.hint')}
          required
        />
      )}
      <p className={styles['hint']}>{t(repeat === 'custom' ? 'schedules.cron.hint' : 'schedules.zone.hint')}</p>
    </>
  )
}
