import type { ControlBody } from '@tripline/contract/console/response/compliance'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { FormEvent, ReactNode } from 'react'
import { printNumber, t } from '../../i18n/translate.ts'
import { printTime } from '../../lib/format-time.ts'
import { readForm } from '../../lib/read-form.ts'
import { unitMs } from '../../lib/time-range.ts'
import { toVisibleText } from '../../lib/visible-text.ts'
import { Pill } from '../../ui/badge.tsx'
import type { Tone } from '../../ui/badge.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Facts } from '../../ui/entries/facts.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { useTask } from '../../ui/forms/use-task.ts'
import { X } from '../../ui/icons.tsx'
import { PanelSection, SidePanel } from '../../ui/side-panel.tsx'
import { ErrorMessage } from '../../ui/state-message.tsx'
import { attest, changeControl, useControl } from './compliance-queries.ts'
import type { Statement } from './compliance-queries.ts'
import { ControlStatusPill, getLocalText } from './control-columns.tsx'
import { ControlEvidence } from './control-evidence.tsx'
import styles from './control-panel.module.css'

type ControlPanelProps = { readonly framework: string; readonly id: string; readonly mayAttest: boolean; readonly onClose: () => void }

const signalTones: { readonly [status in ControlBody['signals'][number]['status']]: Tone } = {
  pass: 'ok', partial: 'warn', fail: 'bad', no_data: 'neutral',
}

/** One control: how it stands and why, what shows it, who is responsible, and what a person states about it. */
export function ControlPanel({ framework, id, mayAttest, onClose }: ControlPanelProps): ReactNode {
  const { data: control, error, refetch } = useControl(framework, id)
  return (
    <SidePanel
      label={control === undefined ? id : getLocalText(control.title)}
      head={
        <>
          <div className={styles['line']}>
            <code>{id}</code>
            {control !== undefined && <ControlStatusPill status={control.status} />}
            <span className={styles['gap']} />
            <IconButton icon={X} label={t('close')} onClick={onClose} />
          </div>
          {control !== undefined && <h2 className={styles['title']}>{getLocalText(control.title)}</h2>}
        </>
      }
    >
      {error !== null && <ErrorMessage error={error} onRetry={() => void refetch()} />}
      {control !== undefined && (
        <>
          <Why control={control} />
          {control.signals.map((signal) => (
            <Signal key={signal.id} signal={signal} />
          ))}
          <Monitoring control={control} />
          {mayAttest && <Responsibility key={`${control.owner} ${control.note}`} framework={framework} control={control} />}
          <Attestation framework={framework} control={control} mayAttest={mayAttest} />
        </>
      )}
    </SidePanel>
  )
}

function Why({ control }: { readonly control: ControlBody }): ReactNode {
  const { reason_texts: reasons, method, category, mapped_rules: rules, lost_since: lost } = control
  return (
    <PanelSection title={t('compliance.section.why')}>
      {reasons.length > 0 && (
        <ul className={styles['reasons']}>
          {reasons.map((reason) => (
            <li key={reason.en}>{toVisibleText(getLocalText(reason))}</li>
          ))}
        </ul>
      )}
      <Facts
        facts={[
          [t('compliance.category'), getLocalText(category)],
          [t('compliance.method'), t(`compliance.method.${method}`)],
          [t('compliance.rules'), printNumber(rules)],
          [t('compliance.lost'), lost === null ? '' : printTime(lost)],
        ]}
      />
    </PanelSection>
  )
}

function Signal({ signal }: { readonly signal: ControlBody['signals'][number] }): ReactNode {
  const { title, unit_text: unit, value, target, status, reason_text: reason, evidence } = signal
  const print = (number: number): string => `${printNumber(number)} ${getLocalText(unit)}`
  return (
    <PanelSection title={getLocalText(title)}>
      <div className={styles['line']}>
        <Pill tone={signalTones[status]}>{t(`compliance.signal.${status}`)}</Pill>
        <span>
          {value === null
            ? t('compliance.signal.target', { target: print(target) })
            : t('compliance.signal.value', { value: print(value), target: print(target) })}
        </span>
      </div>
      {reason !== null && <p className={styles['note']}>{toVisibleText(getLocalText(reason))}</p>}
      <ControlEvidence evidence={evidence} />
    </PanelSection>
  )
}

/** The running rules that watch techniques which the control mitigates, each with its page. */
function Monitoring({ control: { monitoring_rules: rules, mapped_rules: count } }: { readonly control: ControlBody }): ReactNode {
  if (rules.length === 0) return null
  return (
    <PanelSection title={t('compliance.section.monitoring')}>
      <p className={styles['note']}>{t('compliance.monitoring.meaning')}</p>
      <ul className={styles['evidence']}>
        {rules.map(({ id, title, techniques }) => (
          <li key={id}>
            <Link to="/rules/$id" params={{ id }}>{toVisibleText(title)}</Link>
            <code>{techniques.join(' ')}</code>
          </li>
        ))}
      </ul>
      {rules.length < count && (
        <p className={styles['note']}>
          {t('compliance.monitoring.more', { shown: printNumber(rules.length), count: printNumber(count) })}
        </p>
      )}
    </PanelSection>
  )
}

function Responsibility({ framework, control: { id, owner, note } }: {
  readonly framework: string
  readonly control: ControlBody
}): ReactNode {
  const { problem, isBusy, run } = useTask()
  const save = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const read = readForm(event.currentTarget)
    void run(() => changeControl(framework, id, { owner: read('owner').trim(), note: read('note').trim() }), t('compliance.saved'))
  }
  return (
    <PanelSection title={t('compliance.section.owner')}>
      <form className={styles['form']} onSubmit={save}>
        <Field label={t('compliance.column.owner')} name="owner" defaultValue={owner} />
        <Field label={t('compliance.note')} name="note" defaultValue={note} error={problem} />
        <div className={styles['line']}>
          <Button type="submit" isBusy={isBusy}>
            {t('save')}
          </Button>
        </div>
      </form>
    </PanelSection>
  )
}

const statements = ['compliant', 'partial', 'non_compliant'] as const

function Attestation({ framework, control: { id, attestation }, mayAttest }: {
  readonly framework: string
  readonly control: ControlBody
  readonly mayAttest: boolean
}): ReactNode {
  const [status, setStatus] = useState<Statement['status']>('compliant')
  const { problem, isBusy, run } = useTask()
  const save = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const read = readForm(event.currentTarget)
    const expiresAt = new Date(Date.now() + Number(read('days')) * unitMs.d).toISOString()
    const statement = { status, expires_at: expiresAt, note: read('why').trim(), proof: { url: read('proof').trim() } }
    void run(() => attest(framework, id, statement), t('compliance.attested'))
  }
  const withdraw = (): void => void run(() => attest(framework, id, undefined), t('compliance.withdrawn'))
  if (attestation !== null) {
    const { by, at, expires_at: until, note, proof } = attestation
    return (
      <PanelSection title={t('compliance.section.attestation')}>
        <div className={styles['line']}>
          <ControlStatusPill status={attestation.status} />
          <span>{t('compliance.attestation.by', { email: toVisibleText(by), time: printTime(at), until: printTime(until) })}</span>
        </div>
        {note !== '' && <p>{toVisibleText(note)}</p>}
        <p className={styles['note']}>{toVisibleText('url' in proof ? proof.url : `${proof.file} ${proof.sha256}`)}</p>
        {problem !== undefined && <p role="alert">{problem}</p>}
        {mayAttest && (
          <div className={styles['line']}>
            <Button kind="danger" isBusy={isBusy} onClick={withdraw}>
              {t('compliance.withdraw')}
            </Button>
          </div>
        )}
      </PanelSection>
    )
  }
  if (!mayAttest) return null
  return (
    <PanelSection title={t('compliance.section.attestation')}>
      <form className={styles['form']} onSubmit={save}>
        <Select
          label={t('compliance.status')}
          value={status}
          options={statements.map((value) => ({ value, label: t(`compliance.status.${value}`) }))}
          onChange={setStatus}
        />
        <Field label={t('compliance.proof')} name="proof" type="url" required />
        <Field label={t('compliance.note')} name="why" />
        <Field label={t('compliance.days')} name="days" type="number" min={1} max={365} defaultValue={180} error={problem} required />
        <div className={styles['line']}>
          <Button type="submit" isBusy={isBusy}>
            {t('compliance.attest')}
          </Button>
        </div>
      </form>
    </PanelSection>
  )
}
