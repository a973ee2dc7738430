import type { RuleVersionListBody } from '@tripline/contract/console/rules/rule-authoring'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { getErrorText } from '../../../../api/api-error.ts'
import { t } from '../../../../i18n/translate.ts'
import { printTime } from '../../../../lib/format-time.ts'
import { toVisibleText } from '../../../../lib/visible-text.ts'
import { Pill } from '../../../../ui/badge.tsx'
import { Button } from '../../../../ui/button.tsx'
import { Select } from '../../../../ui/field.tsx'
import { ErrorMessage, StateMessage } from '../../../../ui/state-message.tsx'
import { showToast } from '../../../../ui/toast-store.ts'
import { Diff } from './diff.tsx'
import styles from './history-pane.module.css'
import { restoreVersion, useVersion, useVersions } from './version-queries.ts'

type HistoryPaneProps = {
  readonly id: string
  readonly etag: string
  /** The text in the editor, which versions are compared with where no other is chosen. */
  readonly text: string
  readonly version: string | undefined
  /** The version that it is compared with. */
  readonly against: string | undefined
  readonly onCompare: (change: { readonly version?: string; readonly against?: string | undefined }) => void
  readonly mayEdit: boolean
  /** Told the text that the rule has now. */
  readonly onRestored: (text: string) => void
}

/** The versions of a rule, how one differs from the text in the editor or from another, and the way back to it. */
export function HistoryPane(props: HistoryPaneProps): ReactNode {
  const { id, etag, text, version, against, onCompare, mayEdit, onRestored } = props
  const list = useVersions(id)
  const chosen = useVersion(id, version)
  const other = useVersion(id, against)
  const [isBusy, setIsBusy] = useState(false)
  const restore = async (definition: string): Promise<void> => {
    setIsBusy(true)
    try {
      await restoreVersion(id, Number(version), etag)
      showToast({ kind: 'notice', text: t('rule.restored', { version: version ?? '' }) })
      onRestored(definition)
    } catch (error) {
      showToast({ kind: 'error', text: t('rule.restoreFailed', { problem: getErrorText(error) }) })
    }
    setIsBusy(false)
  }
  const failed = [chosen, other].find(({ isError }) => isError)
  const nameOf = (one: string | undefined): string => (one === undefined ? t('rule.text') : t('rule.version', { version: one }))
  const others = list.data?.map((one) => String(one.version)).filter((one) => one !== version) ?? []
  const after = against === undefined ? text : other.data?.definition
  return (
    <div className={styles['pane']} data-compared={version !== undefined || undefined}>
      <div className={styles['list']}>
        {list.isError && <ErrorMessage error={list.error} onRetry={() => void list.refetch()} />}
        <Versions list={list.data ?? []} version={version} onChoose={(number) => onCompare({ version: number })} />
        {version === undefined && list.data !== undefined && <StateMessage title={t('rule.chooseVersion')} />}
      </div>
      {failed !== undefined && <ErrorMessage error={failed.error} onRetry={() => void failed.refetch()} />}
      {chosen.data !== undefined && after !== undefined && failed === undefined && (
        <section className={styles['comparison']} aria-label={t('rule.comparison')}>
          <div className={styles['line']}>
            <h3 className={styles['title']}>{t('rule.diffTitle', { version: nameOf(version), other: nameOf(against) })}</h3>
            <Select
              label={t('rule.against')}
              value={against ?? ''}
              options={[undefined, ...others].map((one) => ({ value: one ?? '', label: nameOf(one) }))}
              onChange={(one) => onCompare({ against: one === '' ? undefined : one })}
            />
            {mayEdit && <Button isBusy={isBusy} onClick={() => void restore(chosen.data.definition)}>{t('rule.restore')}</Button>}
          </div>
          <Diff before={chosen.data.definition} after={after} titles={[nameOf(version), nameOf(against)]} />
        </section>
      )}
    </div>
  )
}

type VersionsProps = {
  readonly list: RuleVersionListBody['versions']
  readonly version: string | undefined
  readonly onChoose: (version: string) => void
}

function Versions({ list, version, onChoose }: VersionsProps): ReactNode {
  return (
    <ol className={styles['versions']}>
      {list.map(({ version: number, saved_at: at, saved_by: by, text_changed: isChanged }) => (
        <li key={number}>
          <button
            type="button"
            className={styles['version']}
            aria-current={String(number) === version ? 'true' : undefined}
            onClick={() => onChoose(String(number))}
          >
            <span className={styles['number']}>{t('rule.version', { version: String(number) })}</span>
            <span className={styles['by']}>{toVisibleText(by ?? t('rule.byServer'))}</span>
            <time dateTime={at}>{printTime(at)}</time>
            {!isChanged && <Pill tone="neutral">{t('rule.sameText')}</Pill>}
          </button>
        </li>
      ))}
    </ol>
  )
}
