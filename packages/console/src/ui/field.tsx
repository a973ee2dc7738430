import { useId } from 'react'
import type { InputHTMLAttributes, ReactNode, Ref, TextareaHTMLAttributes } from 'react'
import styles from './field.module.css'
import { classNames } from './class-names.ts'

type FieldProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'className' | 'id'> & {
  readonly label: string
  readonly hint?: string | undefined
  readonly error?: string | undefined
  /** What the number counts, shown at its right. */
  readonly unit?: string
  readonly ref?: Ref<HTMLInputElement>
}

type LabelledProps = {
  /** That of the input. */
  readonly id: string
  readonly label: string
  readonly hint?: string | undefined
  readonly error?: string | undefined
  readonly children: ReactNode
}

const noteOf = (id: string): string => `${id}-note`

/** An input between its label and its note: the error, or else the hint. */
function Labelled({ id, label, hint, error, children }: LabelledProps): ReactNode {
  const note = error ?? hint
  return (
    <div className={styles['field']}>
      <label htmlFor={id} className={styles['label']}>
        {label}
      </label>
      {children}
      {note !== undefined && (
        <p
          id={noteOf(id)}
          className={classNames(styles['note'], error !== undefined && styles['error'])}
          role={error === undefined ? undefined : 'alert'}
        >
          {note}
        </p>
      )}
    </div>
  )
}

/** A labelled input; the error stands below it and is read with it. */
export function Field({ label, hint, error, unit, ref, ...rest }: FieldProps): ReactNode {
  const id = useId()
  const notes = [...(error === undefined && hint === undefined ? [] : [noteOf(id)]), ...(unit === undefined ? [] : [`${id}-unit`])]
  return (
    <Labelled id={id} label={label} hint={hint} error={error}>
      <span className={styles['box']}>
        <input
          ref={ref}
          id={id}
          className={styles['input']}
          aria-invalid={error !== undefined || undefined}
          aria-describedby={notes.length === 0 ? undefined : notes.join(' ')}
          {...rest}
        />
        {unit !== undefined && <span id={`${id}-unit`} className={styles['unit']}>{unit}</span>}
      </span>
    </Labelled>
  )
}

type TextAreaProps = Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'className' | 'id'> & {
  readonly label: string
  readonly hint?: string
}

/** A labelled text of several lines that programs read, such as YAML, an expression or a certificate. */
export function TextArea({ label, hint, ...rest }: TextAreaProps): ReactNode {
  const id = useId()
  return (
    <Labelled id={id} label={label} hint={hint}>
      <textarea
        id={id}
        className={styles['area']}
        rows={3}
        spellCheck={false}
        aria-describedby={hint === undefined ? undefined : noteOf(id)}
        {...rest}
      />
    </Labelled>
  )
}

/** A labelled choice of a few values. */
export function Select<Value extends string>({
  label,
  value,
  options,
  onChange,
}: {
  readonly label: string
  readonly value: Value
  readonly options: readonly { readonly value: Value; readonly label: string }[]
  readonly onChange: (value: Value) => void
}): ReactNode {
  const id = useId()
  return (
    <Labelled id={id} label={label}>
      <select
        id={id}
        className={styles['input']}
        value={value}
        onChange={(event) => {
          const chosen = options.find((option) => option.value === event.target.value)
          if (chosen !== undefined) onChange(chosen.value)
        }}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </Labelled>
  )
}
