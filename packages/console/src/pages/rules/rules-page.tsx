import { Navigate, useNavigate } from '@tanstack/react-router'
import { limits } from '@tripline/contract/limits'
import { useCallback, useEffect, useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { useMay } from '../../api/use-may.ts'
import { ExportMenu } from '../../frame/export/export-menu.tsx'
import { NoneFound } from '../../frame/none-found.tsx'
import { PageHead } from '../../frame/page-head.tsx'
import { RowList } from '../../frame/row-list.tsx'
import { useSelection } from '../../frame/selection/use-selection.ts'
import { useRowKeys } from '../../frame/use-row-keys.ts'
import { useUrlState } from '../../frame/use-url-state.ts'
import { SavedViewsMenu } from '../../frame/views/views-menu.tsx'
import { printNumber, t } from '../../i18n/translate.ts'
import { useKeys } from '../../lib/keys.ts'
import { Button } from '../../ui/button.tsx'
import { Plus } from '../../ui/icons.tsx'
import { lazyPart, preloadPart } from '../../ui/loading/lazy-part.tsx'
import { showToast } from '../../ui/toast-store.ts'
import { listRuleColumns } from './rule-columns.tsx'
import { RuleFilterBar } from './rule-filter-bar.tsx'
import { rowsAhead, switchRule, switchManyRules, useRuleList } from './rule-queries.ts'
import { RuleViews } from './rule-views.tsx'
import { ruleParameters, toRuleQuery } from './rule-url.ts'

const { idsMax } = limits.ruleBulk
/** What is of the moment, and no part of a saved view. */
const notOfViews = ['rule']
const defaultSort = { field: 'matches_last_24h', direction: 'desc' } as const

const loadPanel = async () => (await import('./rule-panel.tsx')).RulePanel
const RulePanel = lazyPart(loadPanel)
const TrialDialog = lazyPart(async () => (await import('./trial-dialog.tsx')).TrialDialog)
const RuleSelectionBar = lazyPart(async () => (await import('./rule-selection-bar.tsx')).RuleSelectionBar)

/** The rules of the tenant: what they find, what they cost, whether they run, and the panel of one of them. */
export function RulesPage(): ReactNode {
  const mayEdit = useMay('edit_rules')
  const navigate = useNavigate()
  const [url, setUrl] = useUrlState(ruleParameters)
  const { rule: openId, layout, sort = defaultSort, ...filters } = url
  const parameters = toRuleQuery({ ...filters, sort })
  const { query, rows, total } = useRuleList(parameters)
  const columns = useMemo(() => listRuleColumns(mayEdit), [mayEdit])
  const onOpen = useCallback((id: string, isReplacing: boolean) => setUrl({ rule: id }, { isReplacing }), [setUrl])
  const close = (): void => setUrl({ rule: undefined })
  // The panel is no part of the first page, and is there before it is wanted.
  useEffect(() => preloadPart(loadPanel), [])
  const selection = useSelection(rows)
  const { handle, current, index, open } = useRowKeys({
    rows, openId, onOpen, onClose: () => (selection.checked.size > 0 ? selection.clear() : close()),
  })
  const chosen = rows.filter(({ id }) => selection.checked.has(id))
  const checkCurrent = (isRange: boolean): void => {
    if (rows[index] !== undefined) selection.check(rows[index], index, isRange)
  }
  const newRule = (): void => void navigate({ to: '/rules/$id', params: { id: 'new' } as never })
  const [tested, setTested] = useState<typeof chosen>()
  const switchChosen = (enabled: boolean): void => {
    const off = chosen.filter((rule) => !rule.enabled)
    if (chosen.length > idsMax) showToast({ kind: 'error', text: t('rules.tooMany', { max: printNumber(idsMax) }) })
    // What they would have found is shown before they run.
    else if (enabled && off.length > 0) setTested(off)
    else void switchManyRules(chosen, enabled)
  }
  const [isChoosingAll, setIsChoosingAll] = useState(false)
  const { hasNextPage, isFetching, fetchNextPage } = query
  const { checkAll } = selection
  useEffect(() => {
    if (!isChoosingAll || isFetching) return
    if (hasNextPage) void fetchNextPage()
    else {
      setIsChoosingAll(false)
      checkAll()
    }
  }, [isChoosingAll, isFetching, hasNextPage, fetchNextPage, checkAll])
  useKeys([
    {
      keys: 'o',
      label: t('rule.open'),
      run: () => {
        if (current !== undefined) void navigate({ to: '/rules/$id', params: { id: current } as never })
      },
    },
    ...(mayEdit
      ? [
          { keys: 'n', label: t('rule.new'), run: newRule },
          { keys: 'x', label: t('table.select'), run: () => checkCurrent(false) },
          { keys: 'Shift+x', label: t('table.range'), run: () => checkCurrent(true) },
          { keys: 'Mod+a', label: t('table.selectAll'), run: selection.checkAll },
          {
            keys: 'd',
            label: t('rules.keys.switch'),
            run: () => {
              // Those that run are switched off first: the same key again switches all of them on.
              if (chosen.length > 0) switchChosen(!chosen.some(({ enabled }) => enabled))
              else if (rows[index] !== undefined) void switchRule(rows[index], !rows[index].enabled)
            },
          },
        ]
      : []),
  ])
  if (layout === 'matrix') return <Navigate to="/rules/matrix" replace />
  return (
    <>
      <PageHead title={t('rules.title')}>
        <SavedViewsMenu page="rules" path="/rules" beside={notOfViews} />
        <ExportMenu resource="detection-rules" query={parameters} total={total} />
        {mayEdit && (
          <Button kind="primary" icon={Plus} keys="n" onClick={newRule}>
            {t('rule.new')}
          </Button>
        )}
      </PageHead>
      <RuleViews current="list" />
      <RuleFilterBar url={url} onChange={setUrl} summary={query.isSuccess ? t('rules.count', { count: total }) : ''} />
      <RowList
        ref={handle}
        query={query}
        loadAhead={rowsAhead}
        name="rules"
        label={t('rules.title')}
        columns={columns}
        rows={rows}
        total={total}
        sort={sort}
        onSort={(next) => setUrl({ sort: next })}
        current={current}
        onOpen={open}
        {...(mayEdit && { checked: selection.checked, onCheck: selection.check, onCheckAll: selection.checkAll })}
        below={selection.checked.size > 0 && (
          <RuleSelectionBar
            count={selection.checked.size}
            {...(hasNextPage && selection.checked.size === rows.length && total <= idsMax && {
              all: { total, isBusy: isChoosingAll, choose: () => setIsChoosingAll(true) },
            })}
            onSwitch={switchChosen}
            onClear={selection.clear}
          />
        )}
        empty={
          <NoneFound none={t('rules.none')} filtered={t('rules.noneFiltered')} filters={filters} onRemove={setUrl}>
            {mayEdit && <Button onClick={newRule}>{t('rule.new')}</Button>}
          </NoneFound>
        }
      >
        {tested !== undefined && (
          <TrialDialog
            rules={tested}
            onConfirm={() => {
              setTested(undefined)
              void switchManyRules(tested, true)
            }}
            onClose={() => setTested(undefined)}
          />
        )}
        {openId !== undefined && <RulePanel key={openId} id={openId} mayEdit={mayEdit} onClose={close} />}
      </RowList>
    </>
  )
}
