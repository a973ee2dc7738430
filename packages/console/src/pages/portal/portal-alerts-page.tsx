import { useCallback, useEffect, useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { useMay } from '../../api/use-may.ts'
import { NoneFound, WidenRange } from '../../frame/none-found.tsx'
import { PageHead } from '../../frame/page-head.tsx'
import { RowList } from '../../frame/row-list.tsx'
import { useRowKeys } from '../../frame/use-row-keys.ts'
import { useUrlState } from '../../frame/use-url-state.ts'
import { t } from '../../i18n/translate.ts'
import { printTactic } from '../../i18n/print-tactic.ts'
import { useStore } from '../../lib/use-store.ts'
import { toVisibleText } from '../../lib/visible-text.ts'
import { Button } from '../../ui/button.tsx'
import { SearchField } from '../../ui/filters/search-field.tsx'
import { X } from '../../ui/icons.tsx'
import { lazyPart, preloadPart } from '../../ui/loading/lazy-part.tsx'
import { useFacets } from '../alerts/alert-figures.ts'
import { loadAhead, useAlertList } from '../alerts/alert-queries.ts'
import { changedAlerts } from '../alerts/alert-store.ts'
import { alertParameters, alertSeverities, alertStatuses, toAlertQuery } from '../alerts/alert-url.ts'
import styles from './portal-alerts-page.module.css'
import { FilterSelect } from './filter-select.tsx'
import { listPortalColumns } from './portal-columns.tsx'

const loadPanel = async () => (await import('./alert-panel.tsx')).CustomerAlertPanel
const CustomerAlertPanel = lazyPart(loadPanel)

/** Customers look at weeks, not at the last day. */
const defaultFrom = '-30d'
const defaultSort = { field: 'created_at', direction: 'desc' } as const

/** The answers of customers by the verdicts that they are, in the order of `verdicts`. */
const answers = [
  { verdict: 'unreviewed', text: 'portal.answer.none' },
  { verdict: 'false_positive,benign', text: 'portal.answer.us.short' },
  { verdict: 'true_positive', text: 'portal.answer.notUs.short' },
] as const

/** The alerts of a customer: six filters that are always there, and a panel that asks one question. */
export function PortalAlertsPage(): ReactNode {
  const mayAnswer = useMay('answer_alerts')
  const [url, setUrl] = useUrlState(alertParameters)
  const [loadedAt] = useState(Date.now)
  const { alert: openId, from = defaultFrom, to, q = '', severity, status, source, tactic, host, user, sort = defaultSort, verdict } = url
  const parameters = useMemo(
    () => toAlertQuery(
      { from, to, q: q === '' ? undefined : q, severity, status, source, tactic, host, user, verdict, sort }, { email: '', loadedAt },
    ),
    [from, to, q, severity, status, source, tactic, host, user, verdict, sort, loadedAt],
  )
  const { query, total, ...list } = useAlertList(parameters, loadedAt)
  const changed = useStore(changedAlerts)
  const rows = useMemo(() => list.rows.map((row) => changed.get(row.id) ?? row), [list.rows, changed])
  // The values to choose from are those of the range, whatever is chosen.
  const facets = useFacets(useMemo(() => toAlertQuery({ from, to }, { email: '', loadedAt }), [from, to, loadedAt]), loadedAt)
  const listValues = (field: string): readonly string[] => {
    const values = facets.data?.facets.find((facet) => facet.field === field)?.values ?? []
    return values.map(({ value }) => value).filter((value) => value !== '')
  }
  const columns = useMemo(listPortalColumns, [])
  const onOpen = useCallback((id: string, isReplacing: boolean) => setUrl({ alert: id }, { isReplacing }), [setUrl])
  const close = (): void => setUrl({ alert: undefined })
  const { handle, current, open } = useRowKeys({ rows, openId, onOpen, onClose: close })
  // The panel is no part of the first page, and is there before it is wanted.
  useEffect(() => preloadPart(loadPanel), [])
  return (
    <>
      <PageHead
        title={t('portal.alerts.title')}
        range={{ from, to }}
        onRange={(range) => setUrl({ from: range.from, to: range.to })}
      />
      <div className={styles['bar']}>
        <SearchField
          label={t('portal.alerts.search')}
          keyLabel={t('portal.alerts.search')}
          value={q}
          onChange={(text) => setUrl({ q: text }, { isTyping: true })}
        />
        <FilterSelect
          label={t('alerts.column.severity')}
          value={severity?.join()}
          options={alertSeverities.map((value) => ({ value, label: t(`severity.${value}`) }))}
          onChange={(value) => setUrl({ severity: value === undefined ? undefined : alertParameters.severity.parse(value) })}
        />
        <FilterSelect
          label={t('alerts.column.status')}
          value={status?.join()}
          options={alertStatuses.map((value) => ({ value, label: t(`portal.status.${value}`) }))}
          onChange={(value) => setUrl({ status: value === undefined ? undefined : alertParameters.status.parse(value) })}
        />
        <FilterSelect
          label={t('alerts.filter.source')}
          value={source}
          options={listValues('source').map((value) => ({ value, label: value }))}
          onChange={(value) => setUrl({ source: value })}
        />
        <FilterSelect
          label={t('alerts.column.tactic')}
          value={tactic}
          options={listValues('tactic').map((value) => ({ value, label: printTactic(value) }))}
          onChange={(value) => setUrl({ tactic: value })}
        />
        <FilterSelect
          label={t('portal.column.answer')}
          value={verdict?.join()}
          options={answers.map(({ verdict: value, text }) => ({ value, label: t(text) }))}
          onChange={(value) => setUrl({ verdict: value === undefined ? undefined : alertParameters.verdict.parse(value) })}
        />
        {/* Links lead here with these; what narrows the list is seen, and can be removed. */}
        {(['host', 'user'] as const).map((name) => {
          const { [name]: value } = url
          if (value === undefined) return null
          const text = `${t(`portal.where.${name}`)}: ${toVisibleText(value)}`
          return (
            <Button key={name} icon={X} aria-label={t('filters.remove', { name: text })} onClick={() => setUrl({ [name]: undefined })}>
              {text}
            </Button>
          )
        })}
        <span className={styles['summary']}>{query.isSuccess && t('portal.alerts.count', { count: total })}</span>
      </div>
      <RowList
        ref={handle}
        query={query}
        loadAhead={loadAhead}
        name="portal-alerts"
        label={t('portal.alerts.title')}
        columns={columns}
        rows={rows}
        total={total}
        sort={sort}
        onSort={(next) => setUrl({ sort: next })}
        current={current}
        onOpen={open}
        empty={
          <NoneFound
            none={t('alerts.none')}
            filtered={t('portal.alerts.none')}
            filters={{ q: url.q, severity, status, source, tactic, host, user, verdict }}
            onRemove={setUrl}
          >
            <WidenRange range={{ from, to }} onChange={(range) => setUrl(range)} />
          </NoneFound>
        }
      >
        {openId !== undefined && <CustomerAlertPanel key={openId} id={openId} mayAnswer={mayAnswer} onClose={close} />}
      </RowList>
    </>
  )
}
