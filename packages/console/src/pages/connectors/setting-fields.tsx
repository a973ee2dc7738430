import type { ConnectorFieldBody } from '@tripline/contract/console/sources/connector-type'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { t } from '../../i18n/translate.ts'
import { splitList } from '../../lib/read-form.ts'
import { Field, Select, TextArea } from '../../ui/field.tsx'
import { listShownFields, printStored } from './connector-types.ts'
import type { ConnectorField, ConnectorType } from './connector-types.ts'
import { printSetting } from './print-setting.ts'
import styles from './setting-fields.module.css'

type Settings = { readonly [key: string]: unknown }

type SettingFieldsProps = {
  readonly type: ConnectorType
  /** What is stored; nothing for a new connector. */
  readonly config?: Settings
  /** Whether secrets are stored already, so that an empty field keeps them. */
  readonly isStored?: boolean
}

const noSettings: Settings = {}

/** The fields of the form for a type of connector; some are asked for with the choice of another alone. */
export function SettingFields({ type, config = noSettings, isStored = false }: SettingFieldsProps): ReactNode {
  const [chosen, setChosen] = useState<{ readonly [key: string]: string }>({})
  const stored = (field: ConnectorField): string => printStored(field, config)
  const shown = listShownFields(type, chosen, stored)
  return shown.map((field) => {
    const { key, isRequired = false, isSecret = false, isNumber, isMultiline, choices } = field
    const id = `${type} ${key}`
    const named = { label: t(`connectors.field.${key}`), name: key }
    const choose = (value: string): void => setChosen((before) => ({ ...before, [key]: value }))
    if (choices !== undefined) return <Choice {...named} key={id} choices={choices} value={stored(field)} onChange={choose} />
    const isKept = isSecret && isStored
    const hint = isKept ? t('connectors.kept') : key === 'product' ? t('connectors.logSource') : undefined
    const common = { ...named, required: isRequired && !isKept, defaultValue: stored(field), ...(hint !== undefined && { hint }) }
    if (isMultiline === true) return <TextArea {...common} key={id} autoComplete="off" />
    return (
      <Field
        {...common}
        key={id}
        {...(isNumber === true && { inputMode: 'numeric', pattern: '[0-9]+' })}
        {...(isSecret && { type: 'password', autoComplete: 'off' })}
      />
    )
  })
}

type MoreSettingsProps = { readonly type: string; readonly fields: readonly ConnectorFieldBody[]; readonly config?: Settings }

/** The settings that few connectors need, folded, as the server describes them; an empty one has the server's default. */
export function MoreSettings({ type, fields, config = noSettings }: MoreSettingsProps): ReactNode {
  if (fields.length === 0) return null
  return (
    <details className={styles['more']}>
      <summary className={styles['summary']}>{t('connectors.more')}</summary>
      <div className={styles['fields']}>
        {fields.map((field) => <MoreField key={`${type} ${field.name}`} type={type} field={field} value={config[field.name]} />)}
      </div>
    </details>
  )
}

function MoreField({ type, field, value }: {
  readonly type: string
  readonly field: ConnectorFieldBody
  readonly value: unknown
}): ReactNode {
  const { name, kind, choices = [], keys = [], default: byDefault, minimum, maximum, multiline: isMultiline } = field
  const label = printSetting(type, name)
  if (kind === 'object') {
    const parts = (typeof value === 'object' && value !== null ? value : {}) as { readonly [key: string]: string }
    return keys.map((key) => <Field key={key} label={`${label}: ${key}`} name={toInputName(name, key)} defaultValue={parts[key] ?? ''} />)
  }
  if (kind === 'flag' || kind === 'choice') {
    const known = kind === 'flag' ? ['true', 'false'] : choices
    return <Choice label={label} name={toInputName(name)} choices={['', ...known]} value={value === undefined ? '' : printPlain(value)} />
  }
  const common = {
    label, name: toInputName(name),
    ...(byDefault !== undefined && { placeholder: printPlain(byDefault) }),
    ...(kind === 'choices' && { hint: t('connectors.choices', { values: choices.join(', ') }) }),
    ...(kind === 'secret' ? { autoComplete: 'off' } : { defaultValue: value === undefined ? '' : printPlain(value) }),
  }
  if (isMultiline) return <TextArea {...common} />
  if (kind === 'number') return <Field {...common} type="number" min={minimum} max={maximum} />
  return <Field {...common} {...(kind === 'secret' && { type: 'password' })} />
}

function printPlain(value: unknown): string {
  return Array.isArray(value) ? value.join(', ') : String(value as string | number | boolean)
}

/** The short form has fields of the same names. */
function toInputName(name: string, key?: string): string {
  return key === undefined ? `more.${name}` : `more.${name}.${key}`
}

/** Reads the folded settings; those that are empty are left out. */
export function readMore(fields: readonly ConnectorFieldBody[], read: (name: string) => string): Settings {
  const readField = ({ name, kind, keys = [] }: ConnectorFieldBody): readonly (readonly [string, unknown])[] => {
    if (kind === 'object') {
      const parts = keys.map((key) => [key, read(toInputName(name, key)).trim()] as const).filter(([, value]) => value !== '')
      return parts.length === 0 ? [] : [[name, Object.fromEntries(parts)]]
    }
    const value = read(toInputName(name)).trim()
    if (value === '') return []
    if (kind === 'number') return [[name, Number(value)]]
    if (kind === 'flag') return [[name, value === 'true']]
    if (kind === 'list' || kind === 'choices') {
      return [[name, splitList(value)]]
    }
    return [[name, value]]
  }
  return Object.fromEntries(fields.flatMap(readField))
}

type ChoiceProps = {
  readonly name: string
  readonly label: string
  /** An empty one stands for the default of the server. */
  readonly choices: readonly string[]
  readonly value?: string
  readonly onChange?: (value: string) => void
}

/** A choice of a few values as a field of the form. */
function Choice({ name, label, choices, value: stored = '', onChange }: ChoiceProps): ReactNode {
  const [value, setValue] = useState(choices.includes(stored) ? stored : (choices[0] ?? ''))
  return (
    <>
      <Select
        label={label}
        value={value}
        options={choices.map((choice) => ({ value: choice, label: choice === '' ? t('connectors.byDefault') : choice }))}
        onChange={(next) => {
          setValue(next)
          onChange?.(next)
        }}
      />
      <input type="hidden" name={name} value={value} />
    </>
  )
}
