import { Link, useParams } from '@tanstack/react-router'
import type { ControlListBody, FrameworkBody } from '@tripline/contract/console/response/compliance'
import { useCallback, useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { getErrorText } from '../../api/api-error.ts'
import { useMay } from '../../api/use-may.ts'
import { NoneFound } from '../../frame/none-found.tsx'
import { PageHead } from '../../frame/page-head.tsx'
import { RowList } from '../../frame/row-list.tsx'
import { useRowKeys } from '../../frame/use-row-keys.ts'
import { useUrlState } from '../../frame/use-url-state.ts'
import { printNumber, t } from '../../i18n/translate.ts'
import { printTime } from '../../lib/format-time.ts'
import { textParameter, wordListParameter } from '../../lib/url-state.ts'
import { Button } from '../../ui/button.tsx'
import { SearchField } from '../../ui/filters/search-field.tsx'
import { Toggle, ToggleGroup, toggleWord } from '../../ui/filters/toggle.tsx'
import { ErrorMessage, StateMessage } from '../../ui/state-message.tsx'
import { showToast } from '../../ui/toast-store.ts'
import styles from './compliance-page.module.css'
import { collectEvidence, useControls, useFrameworks } from './compliance-queries.ts'
import { ControlStatusPill, controlStatuses, getLocalText, listControlColumns } from './control-columns.tsx'
import { ControlPanel } from './control-panel.tsx'

const parameters = { q: textParameter, status: wordListParameter(controlStatuses), control: textParameter }

/** How the platform stands against frameworks: scores, the controls of one, and what shows each. */
export function CompliancePage(): ReactNode {
  const { id } = useParams({ strict: false })
  const { data: frameworks = [], error, refetch, isSuccess } = useFrameworks()
  const chosen = id === undefined ? frameworks[0] : frameworks.find((framework) => framework.id === id)
  return (
    <>
      <PageHead title={t('nav.compliance')} documentTitle={chosen?.name ?? t('nav.compliance')} />
      {error !== null && <ErrorMessage error={error} onRetry={() => void refetch()} />}
      <nav aria-label={t('compliance.frameworks')} className={styles['frameworks']}>
        {frameworks.map((framework) => (
          <Link
            key={framework.id}
            to={`/compliance/${framework.id}`}
            className={styles['framework']}
            aria-current={framework.id === chosen?.id ? 'page' : undefined}
          >
            <span className={styles['name']}>{framework.name}</span>
            <span className={styles['score']}>{printScore(framework)}</span>
            <span
              className={styles['note']}
              title={t('compliance.assessed.of', { part: framework.assessable_controls, whole: framework.total_controls })}
            >
              {t('compliance.assessed', { part: framework.assessable_controls, whole: framework.total_controls })}
            </span>
          </Link>
        ))}
      </nav>
      {isSuccess && chosen === undefined && <StateMessage title={t('state.notFound')} />}
      {chosen !== undefined && <Controls key={chosen.id} framework={chosen} />}
    </>
  )
}

function Controls({ framework }: { readonly framework: FrameworkBody }): ReactNode {
  const mayCollect = useMay('collect_evidence')
  const mayAttest = useMay('attest_compliance')
  const [{ q = '', status, control: openId }, setUrl] = useUrlState(parameters)
  const query = useControls(framework.id)
  const { data } = query
  const [isBusy, setIsBusy] = useState(false)
  const rows = useMemo(() => selectControls(data, q, status), [data, q, status])
  const columns = useMemo(() => listControlColumns(), [])
  const onOpen = useCallback((id: string, isReplacing: boolean) => setUrl({ control: id }, { isReplacing }), [setUrl])
  const close = (): void => setUrl({ control: undefined })
  const { handle, current, open } = useRowKeys({ rows, openId, onOpen, onClose: close })
  const collect = (): void => {
    setIsBusy(true)
    void collectEvidence(framework.id)
      .then(() => showToast({ kind: 'notice', text: t('compliance.collected') }))
      .catch((problem: unknown) => showToast({ kind: 'error', text: getErrorText(problem) }))
      .finally(() => setIsBusy(false))
  }
  return (
    <>
      <div className={styles['bar']}>
        <SearchField
          label={t('compliance.search')}
          keyLabel={t('compliance.search')}
          value={q}
          onChange={(text) => setUrl({ q: text }, { isTyping: true })}
        />
        <ToggleGroup label={t('compliance.status')}>
          {controlStatuses.map((one) => (
            <Toggle
              key={one}
              isOn={status?.includes(one) === true}
              onToggle={() => setUrl({ status: toggleWord(controlStatuses, status, one) })}
            >
              <ControlStatusPill status={one} />
            </Toggle>
          ))}
        </ToggleGroup>
        <span className={styles['summary']}>
          {typeof data?.assessed_at === 'string' ? t('compliance.asOf', { time: printTime(data.assessed_at) }) : t('compliance.never')}
        </span>
        {mayCollect && (
          <Button isBusy={isBusy} onClick={collect}>
            {t('compliance.collect')}
          </Button>
        )}
      </div>
      <RowList
        ref={handle}
        query={query}
        label={t('compliance.controls', { framework: framework.name })}
        columns={columns}
        rows={rows}
        total={rows.length}
        current={current}
        onOpen={open}
        empty={
          <NoneFound
            none={t('compliance.none')}
            filtered={t('compliance.none')}
            filters={{ q: q === '' ? undefined : q, status }}
            onRemove={setUrl}
          />
        }
      >
        {openId !== undefined && <ControlPanel key={openId} framework={framework.id} id={openId} mayAttest={mayAttest} onClose={close} />}
      </RowList>
    </>
  )
}

type Control = ControlListBody['controls'][number]

function selectControls(
  data: ControlListBody | undefined, q: string, status: readonly Control['status'][] | undefined,
): readonly Control[] {
  const text = q.toLowerCase()
  return (data?.controls ?? []).filter((control) => {
    const isFound = text === '' || `${control.id} ${getLocalText(control.title)}`.toLowerCase().includes(text)
    return isFound && (status === undefined || status.includes(control.status))
  })
}

function printScore({ score, assessed_at: at }: FrameworkBody): string {
  return at === null ? '–' : t('compliance.percent', { score: printNumber(score) })
}
