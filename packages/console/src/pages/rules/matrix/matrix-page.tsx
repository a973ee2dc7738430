import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { CoverageBody } from '@tripline/contract/console/rules/coverage'
import { useMemo } from 'react'
import type { ReactNode } from 'react'
import { callApi } from '../../../api/client.ts'
import { getErrorText } from '../../../api/api-error.ts'
import { PageHead } from '../../../frame/page-head.tsx'
import { useUrlState } from '../../../frame/use-url-state.ts'
import { enRuleParts } from '../../../i18n/en/rule-parts.ts'
import { addTexts, t } from '../../../i18n/translate.ts'
import { printTactic } from '../../../i18n/print-tactic.ts'
import { saveFile } from '../../../lib/save-file.ts'
import { wordParameter } from '../../../lib/url-state.ts'
import { Button } from '../../../ui/button.tsx'
import { Download } from '../../../ui/icons.tsx'
import { Toggle, ToggleGroup } from '../../../ui/filters/toggle.tsx'
import { Skeleton } from '../../../ui/loading/skeleton.tsx'
import { ErrorMessage, StateMessage } from '../../../ui/state-message.tsx'
import { showToast } from '../../../ui/toast-store.ts'
import { RuleViews } from '../rule-views.tsx'
import styles from './matrix-page.module.css'
import { buildMatrix, matrixFilters } from './build-matrix.ts'
import type { MatrixCell } from './build-matrix.ts'

// They are no part of the first page.
addTexts(enRuleParts)

/** From best to worst. */
const states = ['matched', 'covered', 'unhealthy', 'no_data', 'disabled', 'no_rule'] as const

const parameters = { show: wordParameter(matrixFilters) }

/** What the rules cover of ATT&CK: a column for each tactic, a cell for each technique with its rules, data and health. */
export function MatrixPage(): ReactNode {
  const [{ show = 'ruled' }, setUrl] = useUrlState(parameters)
  const { data, error, isError, refetch } = useQuery({
    queryKey: ['rules', 'coverage'],
    queryFn: ({ signal }) => callApi<CoverageBody>('/v1/detection/coverage', { signal }),
    structuralSharing: false,
  })
  const columns = useMemo(() => (data === undefined ? [] : buildMatrix(data, show)), [data, show])
  return (
    <>
      <PageHead title={t('matrix.title')} />
      <RuleViews current="matrix" />
      <div className={styles['bar']}>
        <ToggleGroup label={t('matrix.show')}>
          {matrixFilters.map((one) => (
            <Toggle key={one} isOn={show === one} onToggle={() => setUrl({ show: one })}>
              {t(`matrix.show.${one}`)}
            </Toggle>
          ))}
        </ToggleGroup>
        {/* It keeps its place without figures, so that the buttons stay in theirs. */}
        <p className={styles['summary']}>
          {data !== undefined &&
            t('matrix.totals', { count: data.totals.rules, effective: data.totals.effective, untagged: data.totals.untagged })}
        </p>
        <Button icon={Download} onClick={() => void download('rules')}>{t('matrix.layer.rules')}</Button>
        <Button icon={Download} onClick={() => void download('gaps')}>{t('matrix.layer.gaps')}</Button>
      </div>
      <ul className={styles['legend']} aria-label={t('matrix.legend')}>
        {states.map((state) => <li key={state} className={styles['entry']} data-state={state}>{t(`matrix.state.${state}`)}</li>)}
        <li>{t('matrix.legend.figures')}</li>
      </ul>
      {isError && <ErrorMessage error={error} onRetry={() => void refetch()} />}
      {data === undefined && !isError && <Skeleton lines={12} />}
      {data !== undefined && columns.length === 0 && (
        <StateMessage title={t(show === 'gaps' ? 'matrix.noGap' : 'matrix.none')}>
          <Button onClick={() => setUrl({ show: 'all' })}>{t('matrix.showAll')}</Button>
        </StateMessage>
      )}
      <div className={styles['matrix']} tabIndex={0} role="region" aria-label={t('matrix.title')}>
        {columns.map(({ tactic, techniques, covered, cells }) => (
          <section key={tactic} className={styles['column']} aria-label={printTactic(tactic)}>
            <h2 className={styles['tactic']}>{printTactic(tactic)}</h2>
            <p className={styles['share']}>{t('matrix.covered', { covered, techniques })}</p>
            <ul className={styles['cells']}>
              {cells.map((cell) => (
                <li key={cell.technique}>
                  <Cell cell={cell} />
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </>
  )
}

function Cell({ cell }: { readonly cell: MatrixCell }): ReactNode {
  const { technique, name, state, rules, enabled, with_data: seen, effective, matches, matched_30d: lately } = cell
  const figures = t('matrix.figures', { rules, enabled, seen, effective, matches, lately })
  return (
    <Link
      to="/rules"
      search={{ technique } as never}
      className={styles['cell']}
      data-state={state}
      data-sub={technique.includes('.') || undefined}
      title={`${technique} ${name}: ${t(`matrix.state.${state}`)}. ${figures}`}
    >
      <span className={styles['id']}>{technique}</span>
      {rules > 0 && <span className={styles['count']}>{t('matrix.count', { enabled, seen, effective })}</span>}
      <span className={styles['name']}>{name}</span>
      <span className="hidden-visually">{t(`matrix.state.${state}`)}</span>
    </Link>
  )
}

/** Saves a layer for the ATT&CK Navigator. */
async function download(layer: 'rules' | 'gaps'): Promise<void> {
  try {
    const body = await callApi<unknown>('/v1/detection/coverage', { query: { format: 'navigator', layer } })
    saveFile(new File([JSON.stringify(body, undefined, 2)], `tripline-${layer}.json`, { type: 'application/json' }))
  } catch (error) {
    showToast({ kind: 'error', text: getErrorText(error) })
  }
}
