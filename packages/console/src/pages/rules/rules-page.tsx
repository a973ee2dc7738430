import { useNavigate } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import type { ReactNode } from 'react'
import { useMay } from '../../api/use-may.ts'
import { PageHead } from '../../frame/page-head.tsx'
import { RowList } from '../../frame/row-list.tsx'
import { useRowKeys } from '../../frame/use-row-keys.ts'
import { useUrlState } from '../../frame/use-url-state.ts'
import { t } from '../../i18n/translate.ts'
import { useKeys } from '../../lib/keys.ts'
import { Button } from '../../ui/button.tsx'
import { Plus } from '../../ui/icons.tsx'
import { StateMessage } from '../../ui/state-message.tsx'
import { listRuleColumns } from './rule-columns.tsx'
import { RuleFilterBar } from './rule-filter-bar.tsx'
import { RulePanel } from './rule-panel.tsx'
import { rowsAhead, switchRule, useRuleList } from './rule-queries.ts'
import { RuleViews } from './rule-views.tsx'
import { ruleParameters, toRuleQuery } from './rule-url.ts'

const defaultSort = { field: 'matches_total', direction: 'desc' } as const

/** The rules of the tenant: what they find, what they cost, whether they run, and the panel of one of them. */
export function RulesPage(): ReactNode {
  const mayEdit = useMay('edit_rules')
  const navigate = useNavigate()
  const [url, setUrl] = useUrlState(ruleParameters)
  const { rule: openId, sort = defaultSort, ...filters } = url
  const parameters = toRuleQuery({ ...filters, sort })
  const { query, rows, total } = useRuleList(parameters)
  const columns = useMemo(() => listRuleColumns(mayEdit), [mayEdit])
  const onOpen = useCallback((id: string, isReplacing: boolean) => setUrl({ rule: id }, { isReplacing }), [setUrl])
  const close = (): void => setUrl({ rule: undefined })
  const { handle, current, index, open } = useRowKeys({ rows, openId, onOpen, onClose: close })
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
          { keys: 'n', label: t('rule.new'), run: () => void navigate({ to: '/rules/$id', params: { id: 'new' } as never }) },
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
      <PageHead title={t('rules.title')}>
        {mayEdit && (
          <Button icon={Plus} keys="n" onClick={() => void navigate({ to: '/rules/$id', params: { id: 'new' } as never })}>
            {t('rule.new')}
          </Button>
        )}
      </PageHead>
      <RuleViews current="list" />
      <RuleFilterBar url={url} onChange={setUrl} summary={t('rules.count', { count: total })} />
      <RowList
        ref={handle}
        query={query}
        loadAhead={rowsAhead}
        label={t('rules.title')}
        columns={columns}
        rows={rows}
        total={total}
        sort={sort}
        onSort={(next) => setUrl({ sort: next })}
        current={current}
        onOpen={open}
        empty={<StateMessage title={t('rules.none')} />}
      >
        {openId !== undefined && <RulePanel key={openId} id={openId} mayEdit={mayEdit} onClose={close} />}
      </RowList>
    </>
  )
}
