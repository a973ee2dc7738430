import type { ChannelBody, ChannelRouteBody } from '@tripline/contract/console/channel'
import { useState } from 'react'
import type { FormEvent, ReactNode } from 'react'
import { callApi } from '../../api/client.ts'
import { t } from '../../i18n/translate.ts'
import { readForm } from '../../lib/read-form.ts'
import { toVisibleText } from '../../lib/visible-text.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Select, TextArea } from '../../ui/field.tsx'
import { CheckBox } from '../../ui/forms/check-box.tsx'
import { Refusal } from '../../ui/forms/refusal.tsx'
import { useTask } from '../../ui/forms/use-task.ts'
import styles from './forms.module.css'
import { filterKinds, printSeverityFilter, readSeverityFilter } from './route-filter.ts'
import { refreshList } from './settings-queries.ts'

type Severity = NonNullable<ChannelRouteBody['quiet_hours']>['except_severities'][number]
type QuietHours = NonNullable<ChannelRouteBody['quiet_hours']>
type Escalation = NonNullable<ChannelRouteBody['escalation']>

const events = [
  'alert.created', 'alert.updated', 'incident.created', 'incident.updated', 'collector.disconnected', 'collector.connected',
  'connector.unhealthy', 'rule.disabled',
] as const satisfies readonly ChannelRouteBody['events'][number][]
const severities = ['critical', 'high', 'medium', 'low', 'info'] as const satisfies readonly Severity[]
const days = [1, 2, 3, 4, 5, 6, 7] as const
const usualQuiet: QuietHours = { from: '22:00', to: '07:00', days: [...days], except_severities: ['critical'] }

/** Asks which events go where, and when; without a route it creates one. */
export function ChannelRouteDialog({ route, channels, onClose }: {
  readonly route: ChannelRouteBody | undefined
  readonly channels: readonly ChannelBody[]
  readonly onClose: () => void
}): ReactNode {
  const [chosen, setChosen] = useState<readonly ChannelRouteBody['events'][number][]>(route?.events ?? ['alert.created'])
  const [channelIds, setChannelIds] = useState<readonly string[]>(route?.channel_ids ?? [])
  const [filter, setFilter] = useState(readSeverityFilter(route?.filter ?? null))
  const [quiet, setQuiet] = useState<QuietHours | null>(route?.quiet_hours ?? null)
  const [escalation, setEscalation] = useState<Escalation | null>(route?.escalation ?? null)
  const [unreadable, setUnreadable] = useState(false)
  const { problem, isBusy, run } = useTask()
  const save = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const read = readForm(event.currentTarget)
    const expression = printSeverityFilter(filter, read('filter'))
    setUnreadable(expression === undefined)
    if (expression === undefined) return
    const body = {
      name: read('name').trim(), events: chosen, channel_ids: channelIds, filter: expression, quiet_hours: quiet, escalation,
      throttle_minutes: Number(read('throttle')), digest_minutes: Number(read('digest')),
    }
    void run(async () => {
      if (route === undefined) await callApi('/v1/channel-routes', { method: 'POST', body })
      else await callApi(`/v1/channel-routes/${encodeURIComponent(route.id)}`, { method: 'PATCH', body })
      await refreshList('channel routes')
    }, t('settings.saved')).then((isDone) => {
      if (isDone) onClose()
    })
  }
  return (
    <Dialog title={t(route === undefined ? 'routes.add' : 'routes.edit')} onClose={onClose}>
      <form className={styles['dialog']} onSubmit={save}>
        <Field label={t('settings.name')} name="name" defaultValue={route?.name ?? ''} maxLength={100} required autoFocus />
        <Boxes
          legend={t('routes.events')}
          options={events.map((id) => ({ id, label: t(`routes.event.${id}`) }))}
          chosen={chosen}
          onChange={setChosen}
        />
        <Boxes
          legend={t('routes.channels')}
          options={channels.map(({ id, name }) => ({ id, label: toVisibleText(name) }))}
          chosen={channelIds}
          onChange={setChannelIds}
        />
        <Select
          label={t('routes.filter')}
          value={filter.kind}
          options={filterKinds.map((value) => ({ value, label: t(`routes.filter.${value}`) }))}
          onChange={(kind) => setFilter({ ...filter, kind })}
        />
        {filter.kind === 'severity' && (
          <Boxes
            legend={t('routes.severities')}
            options={severities.map((id) => ({ id, label: t(`routes.severity.${id}`) }))}
            chosen={severities.filter((one) => filter.severities.includes(one))}
            onChange={(next) => setFilter({ ...filter, severities: next })}
          />
        )}
        {filter.kind === 'expression' && (
          <TextArea label={t('routes.expression')} name="filter" defaultValue={filter.text} hint={t('routes.expression.hint')} />
        )}
        <QuietFields quiet={quiet} onChange={setQuiet} />
        <div className={styles['pair']}>
          <Field
            label={t('routes.throttle')} name="throttle" type="number" min={0} max={10_080} defaultValue={route?.throttle_minutes ?? 0}
            hint={t('routes.throttle.hint')} required
          />
          <Field
            label={t('routes.digest')} name="digest" type="number" min={0} max={10_080} defaultValue={route?.digest_minutes ?? 0}
            hint={t('routes.digest.hint')} required
          />
        </div>
        <EscalationFields channels={channels} escalation={escalation} onChange={setEscalation} />
        <Refusal text={unreadable ? t('routes.expression.unreadable') : problem} />
        <div className={styles['actions']}>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button
            kind="primary"
            type="submit"
            isBusy={isBusy}
            blocked={chosen.length === 0 || channelIds.length === 0 ? t('settings.needs.route') : undefined}
          >
            {t('save')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function QuietFields({ quiet, onChange }: {
  readonly quiet: QuietHours | null
  readonly onChange: (quiet: QuietHours | null) => void
}): ReactNode {
  return (
    <fieldset className={styles['group']}>
      <legend className={styles['label']}>{t('routes.quiet')}</legend>
      <CheckBox label={t('routes.quiet.on')} isOn={quiet !== null} onChange={(isOn) => onChange(isOn ? usualQuiet : null)} />
      {quiet !== null && (
        <>
          <div className={styles['pair']}>
            <Field
              label={t('routes.quiet.from')}
              type="time"
              value={quiet.from}
              onChange={(event) => onChange({ ...quiet, from: event.target.value })}
              required
            />
            <Field
              label={t('routes.quiet.to')}
              type="time"
              value={quiet.to}
              onChange={(event) => onChange({ ...quiet, to: event.target.value })}
              required
            />
          </div>
          <Boxes
            legend={t('routes.quiet.days')}
            options={days.map((day) => ({ id: `${day}` as const, label: t(`routes.day.${day}`) }))}
            chosen={quiet.days.map(String)}
            onChange={(next) => onChange({ ...quiet, days: next.map(Number) })}
          />
          <Boxes
            legend={t('routes.quiet.except')}
            options={severities.map((id) => ({ id, label: t(`routes.severity.${id}`) }))}
            chosen={quiet.except_severities}
            onChange={(next) => onChange({ ...quiet, except_severities: severities.filter((one) => next.includes(one)) })}
          />
          <p className={styles['note']}>{t('routes.quiet.hint')}</p>
        </>
      )}
    </fieldset>
  )
}

function EscalationFields({ channels, escalation, onChange }: {
  readonly channels: readonly ChannelBody[]
  readonly escalation: Escalation | null
  readonly onChange: (escalation: Escalation | null) => void
}): ReactNode {
  return (
    <fieldset className={styles['group']}>
      <legend className={styles['label']}>{t('routes.escalation')}</legend>
      <CheckBox
        label={t('routes.escalation.on')}
        isOn={escalation !== null}
        onChange={(isOn) => onChange(isOn ? { after_minutes: 15, channel_ids: [] } : null)}
      />
      {escalation !== null && (
        <>
          <Field
            label={t('routes.escalation.after')} type="number" min={1} max={10_080} value={escalation.after_minutes}
            onChange={(event) => onChange({ ...escalation, after_minutes: event.target.valueAsNumber })} required
          />
          <Boxes
            legend={t('routes.escalation.channels')}
            options={channels.map(({ id, name }) => ({ id, label: toVisibleText(name) }))}
            chosen={escalation.channel_ids}
            onChange={(next) => onChange({ ...escalation, channel_ids: [...next] })}
          />
        </>
      )}
    </fieldset>
  )
}

/** Several of a few, to tick. */
function Boxes<Id extends string>({ legend, options, chosen, onChange }: {
  readonly legend: string
  readonly options: readonly { readonly id: Id; readonly label: string }[]
  readonly chosen: readonly string[]
  readonly onChange: (chosen: readonly Id[]) => void
}): ReactNode {
  return (
    <fieldset className={styles['group']}>
      <legend className={styles['label']}>{legend}</legend>
      <div className={styles['boxes']}>
        {options.map(({ id, label }) => (
          <CheckBox
            key={id}
            label={label}
            isOn={chosen.includes(id)}
            onChange={(isOn) => onChange(options.map((option) => option.id).filter((one) => (one === id ? isOn : chosen.includes(one))))}
          />
        ))}
      </div>
    </fieldset>
  )
}
