import type { PlaybookBody } from '@tripline/contract/console/response/playbook'
import type { ReactNode } from 'react'
import { t } from '../../../i18n/translate.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Field, Select } from '../../../ui/field.tsx'
import { ChevronDown, ChevronUp, Plus, Trash2 } from '../../../ui/icons.tsx'
import styles from './step-fields.module.css'

export type Step = PlaybookBody['steps'][number]
type StepType = Step['type']

const types = ['comment', 'set_status', 'assign', 'tag_asset', 'notify', 'webhook'] as const satisfies readonly StepType[]
const statuses = ['open', 'investigating', 'resolved', 'false_positive', 'contained', 'eradicated', 'recovered', 'closed'] as const

/** A step of a kind with nothing filled in. */
export function createStep(type: StepType): Step {
  switch (type) {
    case 'comment':
      return { type, content: '' }
    case 'set_status':
      return { type, status: 'investigating' }
    case 'assign':
      return { type, assignee: '' }
    case 'tag_asset':
      return { type, tag: '' }
    case 'webhook':
      return { type, url: '' }
    case 'notify':
      return { type, channel: '' }
  }
}

type StepFieldsProps = { readonly steps: readonly Step[]; readonly onChange: (steps: readonly Step[]) => void }

/** The steps of a playbook in order, each with what it needs. */
export function StepFields({ steps, onChange }: StepFieldsProps): ReactNode {
  const replace = (index: number, step: Step): void => onChange(steps.with(index, step))
  const move = (index: number, to: number): void => {
    const step = steps[index]
    if (step !== undefined) onChange(steps.toSpliced(index, 1).toSpliced(to, 0, step))
  }
  return (
    <fieldset className={styles['steps']}>
      <legend className={styles['legend']}>{t('automation.steps')}</legend>
      {steps.map((step, index) => {
        const number = String(index + 1)
        return (
          <div key={`${index} ${step.type}`} className={styles['step']}>
            <Select
              label={t('automation.step', { number })}
              value={step.type}
              options={types.map((value) => ({ value, label: t(`automation.step.${value}`) }))}
              onChange={(type) => replace(index, createStep(type))}
            />
            <StepValue step={step} onChange={(next) => replace(index, next)} />
            <IconButton
              icon={ChevronUp}
              label={t('automation.step.up', { number })}
              disabled={index === 0}
              onClick={() => move(index, index - 1)}
            />
            <IconButton
              icon={ChevronDown}
              label={t('automation.step.down', { number })}
              disabled={index === steps.length - 1}
              onClick={() => move(index, index + 1)}
            />
            <IconButton icon={Trash2} label={t('automation.step.remove', { number })} onClick={() => onChange(steps.toSpliced(index, 1))} />
          </div>
        )
      })}
      <Button kind="ghost" icon={Plus} onClick={() => onChange([...steps, createStep('comment')])}>{t('automation.step.add')}</Button>
    </fieldset>
  )
}

function StepValue({ step, onChange }: { readonly step: Step; readonly onChange: (step: Step) => void }): ReactNode {
  switch (step.type) {
    case 'set_status':
      return (
        <Select
          label={t('automation.value.status')}
          value={step.status}
          options={statuses.map((value) => ({ value, label: t(`automation.status.${value}`) }))}
          onChange={(status) => onChange({ ...step, status })}
        />
      )
    case 'comment':
      return <Text label={t('automation.value.comment')} value={step.content} onChange={(content) => onChange({ ...step, content })} />
    case 'assign':
      return <Text label={t('automation.value.assignee')} value={step.assignee} onChange={(assignee) => onChange({ ...step, assignee })} />
    case 'tag_asset':
      return <Text label={t('automation.value.tag')} value={step.tag} onChange={(tag) => onChange({ ...step, tag })} />
    case 'notify':
      return <Text label={t('automation.value.channel')} value={step.channel} onChange={(channel) => onChange({ ...step, channel })} />
    case 'webhook':
      return <Text label={t('automation.value.url')} value={step.url} onChange={(url) => onChange({ ...step, url })} />
  }
}

function Text({ label, value, onChange }: {
  readonly label: string
  readonly value: string
  readonly onChange: (text: string) => void
}): ReactNode {
  return <Field label={label} value={value} onChange={({ target }) => onChange(target.value)} required autoComplete="off" />
}
