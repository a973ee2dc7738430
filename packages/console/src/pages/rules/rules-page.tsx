import type { RuleEntry } from '@tripline/contract/console/rule'
import { useCallback, useMemo, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { useMay } from '../../api/use-may.ts'
import { PageHead } from '../../frame/page-head.tsx'
import { useUrlState } from '../../frame/use-url-state.ts'
import { t } from '../../i18n/translate.ts'
import { useKeys } from '../../lib/keys.ts'
import { getRowHeight, look } from '../../lib/look.ts'
import { useStore } from '../../lib/use-store.ts'
import type { ListHandle } from '../../ui/list-window.tsx'
import { ErrorMessage, StateMessage } from '../../ui/state-message.tsx'
import { Table } from '../../ui/table.tsx'
import { listRuleColumns } from './rule-columns.tsx'
import { RuleFilterBar } from './rule-filter-bar.tsx'
import { RulePanel } from './rule-panel.tsx'
import { rowsAhead, switchRule, useRuleList } from './rule-queries.ts'
import { ruleParameters, toRuleQuery } from './rule-url.ts'
import styles from './rules-page.module.css'

const defaultSort = { field: 'matches_total', direction: 'desc' } as const

/** The rules of the tenant: what they find, what they cost, whether they run, and the panel of one of them. */
export function RulesPage(): ReactNode {
  const mayEdit = useMay('edit_rules')
  const [url, setUrl] = useUrlState(ruleParameters)
  const { rule: openId, sort = defaultSort, ...filters } = url
  const parameters = toRuleQuery({ ...filters, sort })
  const { query, rows, total } = useRuleList(parameters)
  const [cursor, setCursor] = useState<string>()
  const current = openId ?? cursor
  const index = rows.findIndex(({ id }) => id === current)
  const handle = useRef<ListHandle>(null)
  const rowHeight = useStore(look, getRowHeight)
  const columns = useMemo(() => listRuleColumns(mayEdit), [mayEdit])
  const { fetchNextPage, hasNextPage, isFetching } = query
  const onShown = useCallback(
    (last: number) => {
      if (hasNextPage && !isFetching && last + rowsAhead > rows.length) void fetchNextPage()
    },
    [hasNextPage, isFetching, fetchNextPage, rows.length],
  )
  const open = useCallback(
    ({ id }: RuleEntry) => {
      setCursor(id)
      setUrl({ rule: id }, { isReplacing: openId !== undefined })
    },
    [setUrl, openId],
  )
  const move = (to: number): void => {
    const row = rows[Math.max(0, Math.min(rows.length - 1, to))]
    if (row === undefined) return
    setCursor(row.id)
    handle.current?.reveal(rows.indexOf(row))
    if (openId !== undefined) setUrl({ rule: row.id }, { isReplacing: true })
  }
  const close = (): void => setUrl({ rule: undefined })
  useKeys([
    { keys: 'j', label: t('rules.keys.next'), run: () => move(index + 1) },
    { keys: 'ArrowDown', run: () => move(index + 1) },
    { keys: 'k', label: t('rules.keys.previous'), run: () => move(index - 1) },
    { keys: 'ArrowUp', run: () => move(index - 1) },
    { keys: 'Home', run: () => move(0) },
    { keys: 'End', run: () => move(rows.length - 1) },
    {
      keys: 'Enter',
      label: t('rules.keys.open'),
      run: () => {
        if (rows[index] !== undefined) open(rows[index])
      },
    },
    { keys: 'Escape', label: t('rules.keys.close'), run: close },
    ...(mayEdit
      ? [
          {
            keys: 'd',
            label: t('rules.keys.switch'),
            run: () => {
              if (rows[index] !== undefined) void switchRule(rows[index], !rows[index].enabled)
            },
          },
        ]
      : []),
  ])
  return (
    <>
      <PageHead title={t('rules.title')} />
      <RuleFilterBar url={url} onChange={setUrl} summary={t('rules.count', { count: total })} />
      <div className={styles['body']} data-stale={query.isPlaceholderData || undefined}>
        <div className={styles['list']}>
          {query.isError && <ErrorMessage error={query.error} onRetry={() => void query.refetch()} />}
          {query.isSuccess && rows.length === 0 && <StateMessage title={t('rules.none')} />}
          {rows.length > 0 && (
            <Table
              ref={handle}
              label={t('rules.title')}
              columns={columns}
              rows={rows}
              getId={getRuleId}
              total={total}
              rowHeight={rowHeight}
              sort={sort}
              onSort={(next) => setUrl({ sort: next })}
              current={current}
              onOpen={open}
              onShown={onShown}
            />
          )}
        </div>
        {openId !== undefined && <RulePanel key={openId} id={openId} mayEdit={mayEdit} onClose={close} />}
      </div>
    </>
  )
}

function getRuleId({ id }: RuleEntry): string {
  return id
}
