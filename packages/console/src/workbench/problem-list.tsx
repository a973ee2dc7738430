import type { LintFinding } from '@tripline/rule-tools'
import type { ReactNode } from 'react'
import { t } from '../i18n/translate.ts'
import { toVisibleText } from '../lib/visible-text.ts'
import type { EditorPlace } from './editor.tsx'
import styles from './problem-list.module.css'

const shownMax = 50

/** A problem of a text; the engine's, or what the server answered to a save. */
export type Problem = Pick<LintFinding, 'level' | 'message' | 'line' | 'column'> & { readonly hint?: string | undefined }

/** The problems of a rule in the order of its lines; a click leads to the place. */
export function ProblemList({ findings, onGoTo, title }: {
  readonly findings: readonly Problem[]
  readonly onGoTo: (place: EditorPlace) => void
  readonly title?: string
}): ReactNode {
  if (findings.length === 0) return null
  return (
    <section>
      <h3 className={styles['title']}>{title ?? t('workbench.problems', { count: findings.length })}</h3>
      <ul className={styles['list']}>
        {findings.slice(0, shownMax).map(({ level, message, hint, line, column }, index) => (
          <li key={index} className={styles['problem']} data-level={level}>
            <button type="button" className={styles['place']} onClick={() => onGoTo({ line, column })}>
              {t('workbench.place', { line, column })}
            </button>
            <span className={styles['text']}>
              <span className={styles['level']}>{t(`workbench.level.${level}`)}</span>{' '}
              {toVisibleText(hint === undefined ? message : `${message}: ${hint}`)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
