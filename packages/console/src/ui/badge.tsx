import type { ReactNode } from 'react'
import { t } from '../i18n/translate.ts'
import { toVisibleText } from '../lib/visible-text.ts'
import styles from './badge.module.css'
import { classNames } from './class-names.ts'
import { CriticalIcon, HighIcon, InfoIcon, LowIcon, MediumIcon } from './icons.tsx'

export const severities = ['critical', 'high', 'medium', 'low', 'info'] as const
export type Severity = (typeof severities)[number]

const icons = { critical: CriticalIcon, high: HighIcon, medium: MediumIcon, low: LowIcon, info: InfoIcon } as const

/** A severity as icon, word and colour: never as colour alone. */
export function SeverityLabel({ severity }: { readonly severity: Severity }): ReactNode {
  const Icon = icons[severity]
  return (
    <span className={classNames(styles['severity'], styles[severity])}>
      <Icon size={14} aria-hidden />
      {t(`severity.${severity}`)}
    </span>
  )
}

/** A severity or criticality inside a sentence; what the API states and this list lacks is shown as it is. */
export function printLevel(level: string): string {
  const known = severities.find((one) => one === level)
  if (known !== undefined) return t(`severity.${known}`).toLocaleLowerCase()
  return level === 'unknown' ? t('severity.unknown') : toVisibleText(level)
}

export type Tone = 'accent' | 'ok' | 'warn' | 'bad' | 'neutral'

/** A state as a word on a tint. */
export function Pill({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }): ReactNode {
  return <span className={classNames(styles['pill'], styles[tone])}>{children}</span>
}
